// Shows the description of the API (openapi.json) to people. Nothing is loaded from elsewhere.

import { get } from "./api.js";

const METHODS = ["get", "post", "put", "delete"];
const DEEPEST = 6;

const place = document.getElementById("reference");

function element(name, text = "", ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

/** Follow a reference within the document. */
function resolve(schema, api) {
  const name = schema?.$ref?.split("/").pop();
  return name ? api.components.schemas[name] : (schema ?? {});
}

/** Write a type in a few words, such as "list of string or null". */
function typeName(schema, api) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((one) => typeName(one, api)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(", ");
  if (schema.type === "array") return `list of ${typeName(schema.items ?? {}, api)}`;
  return `${schema.type ?? "anything"}${limits(schema)}`;
}

function limits(schema) {
  const said = [];
  if (schema.minimum !== undefined) said.push(`≥ ${schema.minimum}`);
  if (schema.exclusiveMinimum !== undefined) said.push(`> ${schema.exclusiveMinimum}`);
  if (schema.maximum !== undefined) said.push(`≤ ${schema.maximum}`);
  if (schema.exclusiveMaximum !== undefined) said.push(`< ${schema.exclusiveMaximum}`);
  if (schema.maxLength !== undefined) said.push(`up to ${schema.maxLength} letters`);
  return said.length ? ` (${said.join(", ")})` : "";
}

/** Make up an example that a request could hold. */
function example(schema, api, depth = 0) {
  const found = resolve(schema, api);
  if (found.examples?.length) return found.examples[0];
  if (found.default !== undefined && typeof found.default !== "object") return found.default;
  if (found.enum) return found.enum[0];
  if (found.const !== undefined) return found.const;
  const options = found.anyOf ?? found.oneOf;
  if (options) return example(options[0], api, depth + 1);
  if (depth > DEEPEST) return null;
  if (found.type === "array") return found.minItems ? [example(found.items, api, depth + 1)] : [];
  if (found.type === "object") return exampleObject(found, api, depth);
  return { string: "", integer: found.minimum ?? 0, number: found.minimum ?? 0, boolean: false }[found.type] ?? null;
}

function exampleObject(found, api, depth) {
  const entries = Object.entries(found.properties ?? {}).filter(
    ([name, property]) => found.required?.includes(name) || property.examples,
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, example(one, api, depth + 1)]));
}

function fields(schema, api) {
  const found = resolve(schema, api);
  const head = element("tr", "", element("th", "field"), element("th", "type"), element("th", "meaning"));
  for (const cell of head.children) cell.scope = "col";
  const rows = Object.entries(found.properties ?? {}).map(([name, property]) => {
    const needed = found.required?.includes(name) ? "" : " (may be left out)";
    return element(
      "tr",
      "",
      element("td", "", element("code", name)),
      element("td", typeName(property, api)),
      element("td", (property.description ?? "") + needed),
    );
  });
  return element("table", "", element("thead", "", head), element("tbody", "", ...rows));
}

/** Return the table of a schema, and those of all that it is made of, each under its name. */
function describe(schema, api) {
  const parts = [fields(schema, api)];
  for (const name of namesWithin(resolve(schema, api), api, new Set())) {
    const found = api.components.schemas[name];
    if (found.properties) parts.push(element("h4", name), fields(found, api));
  }
  return parts;
}

/** Collect the names of all schemas that a schema refers to, however deep. */
function namesWithin(schema, api, seen) {
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$ref") {
      const name = value.split("/").pop();
      if (!seen.has(name)) namesWithin(api.components.schemas[name], api, seen.add(name));
    } else if (value !== null && typeof value === "object") namesWithin(value, api, seen);
  }
  return seen;
}

function content(part) {
  return part?.content?.["application/json"]?.schema;
}

function operation(method, path, described, api) {
  const details = element("details");
  const title = element("code", `${method.toUpperCase()} ${path}`);
  const told = described.description ?? described.summary ?? "";
  details.append(element("summary", "", title, element("span", told)));
  const body = element("div");
  body.className = "operation";
  const asked = content(described.requestBody);
  if (asked) {
    body.append(element("h3", "Request"), ...describe(asked, api));
    body.append(element("pre", JSON.stringify(example(asked, api), null, 2)));
  }
  const answer = content(described.responses?.["200"]);
  if (answer) body.append(element("h3", "Answer"), ...describe(answer, api));
  const others = Object.entries(described.responses ?? {}).filter(([status]) => status !== "200");
  const list = others.map(([status, one]) => element("li", `${status}: ${one.description}`));
  body.append(element("h3", "Refusals"), element("ul", "", ...list));
  details.append(body);
  return details;
}

function show(api) {
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((one) => methods[one])) {
      const described = methods[method];
      const tag = described.tags?.[0] ?? "other";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(operation(method, path, described, api));
    }
  }
  place.replaceChildren();
  for (const [tag, operations] of groups) place.append(element("h2", tag), ...operations);
}

try {
  show(await get("openapi.json"));
} catch (error) {
  place.replaceChildren(element("p", error.detail ?? String(error)));
}
