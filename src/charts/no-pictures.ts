/** Makes no pictures of charts: every platform shows their tables. */
import type { ChartPictures } from "../ports/model/chart.ts";

export const noPictures: ChartPictures = {
  png: async () => undefined,
  svg: async () => undefined,
};
