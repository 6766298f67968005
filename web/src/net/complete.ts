/** Fill in what the server leaves out because it has its default; the wire's shape is the server's promise. */

import { type Part, SHAPES, type Union } from "./defaults";
import { type Given, isObject } from "./patch";
import type { components } from "./schema";
import type { ServerMessage } from "./wire";

type Schemas = components["schemas"];

const MESSAGES = (SHAPES.ServerMessage as Union).kinds;

/**
 * Lay what came over the wire over the defaults of its struct, and so with all structs inside; the defaults
 * are shared.
 */
export const complete = <Name extends keyof Schemas>(name: Name, value: unknown): Schemas[Name] =>
  filled(name, value) as Schemas[Name];

function filled(part: Part, value: unknown): unknown {
  if (typeof part === "string") return isObject(value) ? struct(part, value) : value;
  if ("tag" in part)
    return isObject(value) ? filled(part.kinds[String(value[part.tag])] ?? "", value) : value;
  if (Array.isArray(value)) return value.map((one) => filled(part[0], one));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(part[0], one)]))
    : value;
}

function struct(name: string, given: Given): unknown {
  const shape = SHAPES[name];
  if (!shape) return given; // nothing is ever left out of it
  if ("tag" in shape) return filled(shape, given);
  const whole: Given = { ...shape.defaults, ...given };
  for (const [key, part] of Object.entries(shape.parts))
    if (key in whole) whole[key] = filled(part, whole[key]);
  return whole;
}

/** Read what came over the wire; null for what is no message. */
export function read(text: unknown): Given | null {
  try {
    const given: unknown = JSON.parse(text as string);
    return isObject(given) && Object.hasOwn(MESSAGES, String(given.type)) ? given : null;
  } catch {
    return null;
  }
}

/** Return a server message with every field. */
export const message = (given: Given): ServerMessage => complete("ServerMessage", given);
