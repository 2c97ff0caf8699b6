/** Small helpers that make elements; nothing here knows of the game. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an HTML element.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] `text`, `class`, `on` (listeners by event), `data`
 *   (data-attributes) and `style` (custom properties) are special; true and false set or leave out.
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/**
 * Make an SVG element, as `h` does for HTML.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node|string|null|undefined)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Draw one of the icons that index.html holds.
 * @param {string} name
 * @returns {SVGElement}
 */
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("use", { href: `#icon-${name}` }));
}

/**
 * Make a button with a label and, where given, an icon before it.
 * @param {string} label
 * @param {() => void} run
 * @param {{icon?: string, test?: string, class?: string, title?: string, key?: string}} [options]
 * @returns {HTMLButtonElement}
 */
export function button(label, run, options = {}) {
  const made = h("button", {
    type: "button",
    class: options.class ?? "button",
    title: options.title ?? null,
    "aria-keyshortcuts": options.key ?? null,
    data: { test: options.test ?? null },
    on: { click: run },
  });
  if (options.icon) made.append(icon(options.icon));
  made.append(h("span", { class: "button-label", text: label }));
  return made;
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "text") element.textContent = String(value);
  else if (name === "on") listen(element, value);
  else if (name === "data") Object.assign(element.dataset, withoutNulls(value));
  else if (name === "style") {
    for (const [property, to] of Object.entries(value)) element.style.setProperty(property, to);
  } else element.setAttribute(name, value === true ? "" : String(value));
}

function listen(element, listeners) {
  for (const [event, listener] of Object.entries(listeners)) {
    element.addEventListener(event, listener);
  }
}

function withoutNulls(record) {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
