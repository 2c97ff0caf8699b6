/** A form made from a JSON schema: presets on top, then a field for each setting. */

import { h } from "./dom.js";

let forms = 0;

/**
 * Make a form.
 * @param {object} schema JSON schema of an object, as pydantic writes it
 * @param {{values?: Record<string, unknown>, presets?: Record<string, Record<string, unknown>>,
 *   first?: string[], hide?: string[], onChange?: () => void}} [options] `first`: the settings in
 *   sight, the others are folded (without it all are in sight); `hide`: settings to leave out
 * @returns {{element: HTMLElement, values: () => Record<string, unknown>,
 *   changed: () => Record<string, unknown>, set: (values: Record<string, unknown>) => void,
 *   valid: () => boolean}} `changed` has only what differs from the defaults
 */
export function makeForm(schema, options = {}) {
  forms += 1;
  const names = Object.keys(schema.properties ?? {})
    .filter((name) => !options.hide?.includes(name));
  const onChange = () => options.onChange?.();
  const fields = new Map(names.map((name) => [name, makeField(schema, name, `form-${forms}`)]));
  const element = h("div", { class: "form", on: { input: onChange } });
  const form = {
    element,
    values: () => Object.fromEntries([...fields].map(([name, field]) => [name, field.read()])),
    changed: () => Object.fromEntries([...fields].map(([name, field]) => [name, field.read()])
      .filter(([name, value]) => !same(value, defaultOf(schema, name)))),
    set: (values) => {
      for (const [name, field] of fields) {
        field.write(name in values ? values[name] : defaultOf(schema, name));
      }
      onChange();
    },
    valid: () => [...element.querySelectorAll("input, select")].every((i) => i.reportValidity()),
  };
  element.append(...arrange(fields, options, form));
  for (const [name, field] of fields) {
    field.write(options.values && name in options.values
      ? options.values[name] : defaultOf(schema, name));
  }
  return form;
}

function arrange(fields, options, form) {
  const parts = [];
  if (options.presets && Object.keys(options.presets).length) {
    parts.push(presetButtons(options.presets, form));
  }
  const shown = options.first ?? [...fields.keys()];
  const folded = [...fields.keys()].filter((name) => !shown.includes(name));
  parts.push(...shown.filter((name) => fields.has(name)).map((name) => fields.get(name).element));
  if (folded.length) {
    parts.push(h("details", { class: "form-rest" }, h("summary", { text: "All settings" }),
      ...folded.map((name) => fields.get(name).element)));
  }
  return parts;
}

function presetButtons(presets, form) {
  const group = h("div", { class: "presets", role: "group", "aria-label": "Presets" });
  for (const [name, values] of Object.entries(presets)) {
    const choose = () => {
      form.set(values);
      for (const other of group.children) {
        other.setAttribute("aria-pressed", String(other === made));
      }
    };
    const made = h("button", { type: "button", class: "button button-small", text: name,
      "aria-pressed": "false", data: { test: `preset-${name}` }, on: { click: choose } });
    group.append(made);
  }
  return group;
}

/** One setting: its element, and how its value is read and written. */
function makeField(schema, name, prefix) {
  const kind = kindOf(schema, schema.properties[name]);
  const id = `${prefix}-${name}`;
  const required = schema.required?.includes(name) ?? false;
  const { input, read, write } = MAKERS[kind.type](kind, { id, name, required });
  const label = h("label", { for: id, text: titleOf(name) });
  const about = schema.properties[name].description;
  const note = about ? h("p", { class: "field-note", id: `${id}-note`, text: about }) : null;
  if (note) input.setAttribute("aria-describedby", note.id);
  const element = kind.type === "boolean"
    ? h("div", { class: "field field-check" }, input, label, note)
    : h("div", { class: "field" }, label, input, note);
  return { element, read, write };
}

const MAKERS = {
  boolean(kind, { id, name }) {
    const input = h("input", { type: "checkbox", id, name });
    return { input, read: () => input.checked, write: (value) => { input.checked = Boolean(value); } };
  },
  choice(kind, { id, name }) {
    const input = h("select", { id, name },
      ...kind.choices.map((choice) => h("option", { value: JSON.stringify(choice),
        text: choice === null ? "none" : String(choice) })));
    return { input, read: () => JSON.parse(input.value),
      write: (value) => { input.value = JSON.stringify(value ?? null); } };
  },
  number(kind, { id, name, required }) {
    const input = h("input", { type: "number", id, name, required: required && !kind.nullable,
      min: kind.minimum, max: kind.maximum, step: kind.whole ? "1" : "any",
      inputmode: kind.whole ? "numeric" : "decimal", placeholder: kind.nullable ? "none" : null });
    return { input, read: () => (input.value === "" ? null : Number(input.value)),
      write: (value) => { input.value = value ?? ""; } };
  },
  text(kind, { id, name, required }) {
    const input = h("input", { type: "text", id, name, required, spellcheck: "false",
      autocomplete: "off", placeholder: kind.nullable ? "none" : null });
    return { input, read: () => (input.value === "" && kind.nullable ? null : input.value),
      write: (value) => { input.value = value ?? ""; } };
  },
  json(kind, { id, name, required }) {
    const input = h("input", { type: "text", id, name, required, spellcheck: "false", class: "mono" });
    input.addEventListener("input", () => {
      input.setCustomValidity(parsed(input.value) === undefined ? "write this as JSON" : "");
    });
    return { input, read: () => parsed(input.value) ?? null,
      write: (value) => { input.value = value === undefined ? "" : JSON.stringify(value); } };
  },
};

/** Find out what kind of field a property needs. */
function kindOf(schema, property) {
  const parts = (property.anyOf ?? [property]).map((part) => resolved(schema, part));
  const nullable = parts.some((part) => part.type === "null");
  const real = parts.filter((part) => part.type !== "null");
  const choices = real.flatMap((part) => part.enum ?? ("const" in part ? [part.const] : []));
  if (choices.length && real.every((part) => part.enum || "const" in part)) {
    return { type: "choice", choices: nullable ? [null, ...choices] : choices };
  }
  if (real.length === 1 && real[0].type === "boolean" && !nullable) return { type: "boolean" };
  const number = real.find((part) => part.type === "integer" || part.type === "number");
  if (number && real.length === 1) return numberKind({ ...property, ...number }, nullable);
  if (real.length === 1 && real[0].type === "string") return { type: "text", nullable };
  return { type: "json", nullable };
}

function numberKind(part, nullable) {
  const whole = part.type === "integer";
  return {
    type: "number", whole, nullable,
    minimum: part.minimum ?? (whole ? shifted(part.exclusiveMinimum, 1) : part.exclusiveMinimum),
    maximum: part.maximum ?? (whole ? shifted(part.exclusiveMaximum, -1) : part.exclusiveMaximum),
  };
}

function shifted(value, by) {
  return value === undefined ? undefined : value + by;
}

function resolved(schema, part) {
  const name = part.$ref?.split("/").at(-1);
  return name ? { ...schema.$defs?.[name], ...part } : part;
}

function defaultOf(schema, name) {
  const value = schema.properties[name].default;
  if (value !== undefined) return value;
  return kindOf(schema, schema.properties[name]).type === "text" ? "" : null;
}

function titleOf(name) {
  if (name === "connect") return "In a row to win";
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function parsed(text) {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
