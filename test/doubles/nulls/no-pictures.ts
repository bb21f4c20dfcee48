/** Makes no pictures of charts, so that every platform shows their tables. */
import type { ChartPictures } from "../../../src/core/model/chart.ts";

export const noPictures: ChartPictures = {
  png: async () => undefined,
  svg: async () => undefined,
};
