import { describe, expect, it } from "vitest";
import openapi from "../../openapi.json";
import { complete, message, read } from "./complete";
import { SHAPES } from "./defaults";

type Field = { default?: unknown; $ref?: string };
const SCHEMAS = openapi.components.schemas as unknown as Record<
  string,
  { properties?: Record<string, Field>; discriminator?: object }
>;

describe("complete", () => {
  it("puts back every default of the schema, and leaves what was given", () => {
    for (const name of Object.keys(SHAPES)) {
      const fields = Object.entries(SCHEMAS[name]?.properties ?? {});
      const whole = complete(name as "Zone", {}) as unknown as Record<string, unknown>;
      for (const [key, field] of fields) {
        if (!("default" in field)) expect(whole, `${name}.${key}`).not.toHaveProperty(key);
        else if (field.$ref) expect(whole[key]).toEqual(complete(field.$ref.split("/").at(-1) as "Zone", {}));
        else expect(whole[key], `${name}.${key}`).toEqual(field.default);
      }
    }
    expect(complete("Zone", { id: "z", count: 3, more: 1 })).toMatchObject({
      id: "z",
      count: 3,
      more: 1,
      limit: 0,
    });
  });

  it("completes structs inside structs, lists and dictionaries, and leaves null", () => {
    const scene = complete("Scene", {
      zones: [{ id: "z", items: [{ id: "i", course: { goal: 2 } }] }],
      result: null,
    });
    expect(scene.zones[0]).toMatchObject({ slots: [], layout: { size: "normal" } });
    expect(scene.zones[0]?.items[0]).toMatchObject({ face: "", course: { goal: 2, turns: 0, answers: [] } });
    expect(scene.result).toBeNull();
    expect(complete("Item", { id: "i" }).course).toBeNull();
  });

  it("gives two structs nothing to share that was given", () => {
    const given = { zones: [{ id: "a" }] };
    complete("Scene", given);
    expect(given).toEqual({ zones: [{ id: "a" }] });
  });

  it("leaves what has another shape as it is", () => {
    expect(complete("Scene", null)).toBeNull();
    expect(complete("Scene", { zones: "none" }).zones).toBe("none");
  });
});

describe("message", () => {
  it("is told by its type", () => {
    expect(message({ type: "hint", id: "1", hints: [{ action: 1, text: "end" }] })).toMatchObject({
      type: "hint",
      hints: [{ reason: "", chance: null, visits: 0 }],
    });
    expect(message({ type: "pong", id: "1" })).toEqual({ type: "pong", id: "1" });
    expect(message({ type: "preparing", what: "game" })).toMatchObject({ preparation: null });
  });
});

describe("read", () => {
  it("returns what came", () => {
    expect(read('{"type":"pong","id":"1"}')).toEqual({ type: "pong", id: "1" });
  });

  it("is null for anything else", () => {
    for (const text of [
      new Blob(),
      "",
      "{broken",
      "null",
      "7",
      "[]",
      "{}",
      '{"type":"hello"}',
      '{"type":"toString"}',
      '{"type":1}',
    ])
      expect(read(text)).toBeNull();
  });
});
