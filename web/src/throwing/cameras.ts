/** Where a throw may be looked at from. */

export type Camera = "chair" | "above" | "beside" | "follow";

export const CAMERAS: readonly Camera[] = ["chair", "above", "beside", "follow"];

export const CAMERA_NAMES: Record<Camera, string> = {
  chair: "From the chair",
  above: "From above",
  beside: "Beside the target",
  follow: "Follow the card",
};

export const next = (camera: Camera): Camera =>
  CAMERAS[(CAMERAS.indexOf(camera) + 1) % CAMERAS.length] ?? "chair";
