/** Maxima of dashboards and plugin panels, and of what is installed there: a part of `limits`. */
export const boardLimits = {
  /** Plugins of one dashboard or panel: more than a screen shows, and a browser runs side by side. */
  installsPerBoard: 40,
  /** Plugins in all of a base, which is copied in one write: many times what people look at. */
  installsPerBase: 1_000,
  /** Panels of one table: each is a tab beside it. */
  panelsPerTable: 20,
  /** Bytes, as JSON, of what a plugin keeps with one install: the settings of a page, not its data. */
  pluginStorageBytes: 32 * 1024,
} as const
