/** Where a throw may be looked at from. */

export type Camera = "chair" | "above" | "beside" | "follow";

export const CAMERAS: readonly Camera[] = ["chair", "above", "beside", "follow"];

export const CAMERA_NAMES: Record<Camera, string> = {
  chair: "Player’s view",
  above: "From above",
  beside: "Next to the target",
  follow: "Follow the card",
};

export const next = (camera: Camera): Camera =>
  CAMERAS[(CAMERAS.indexOf(camera) + 1) % CAMERAS.length] ?? "chair";
