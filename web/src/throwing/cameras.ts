/** Where a throw may be looked at from. */

import * as t from "../speech/throwing";

export type Camera = "chair" | "above" | "beside" | "follow";

export const CAMERAS: readonly Camera[] = ["chair", "above", "beside", "follow"];

export const CAMERA_NAMES: Record<Camera, string> = {
  chair: t.playersView,
  above: t.fromAbove,
  beside: t.nextToTheTarget,
  follow: t.followTheCard,
};

export const next = (camera: Camera): Camera =>
  CAMERAS[(CAMERAS.indexOf(camera) + 1) % CAMERAS.length] ?? "chair";
