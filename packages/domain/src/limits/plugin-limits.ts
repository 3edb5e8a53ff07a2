/** Maxima of plugins and of where they are installed: a part of `limits`. */
export const pluginLimits = {
  /** Characters of what a plugin says of itself, as the interface has it. */
  pluginNameLength: 20,
  pluginDescriptionLength: 150,
  pluginDetailsLength: 3_000,
  /** Characters of the tag of a language: the longest one in use has some 20. */
  languageTagLength: 35,
  /** Languages that a plugin says it in: each may take as much as its own words. */
  pluginLanguages: 10,
  /** Bytes, as JSON, of how a plugin's page is shown: sizes and places. */
  pluginConfigBytes: 10_000,
  pluginsPerUser: 100,
  /** Plugins that are published on an instance: what can be installed is listed whole. */
  publishedPlugins: 200,
  /** Plugins that one list may be asked for by their ids. */
  pluginsPerList: 100,
  /** Minutes for which a code is good: as long as a page takes to hand it on. */
  pluginCodeMinutes: 5,
  /** Minutes for which the access token of a plugin is good, and days for which it can be renewed. */
  pluginTokenMinutes: 60,
  pluginRefreshDays: 30,
  /** Bases and plugins that one user lets act in their name. */
  pluginGrantsPerUser: 200,
  /** Of these, those of one plugin in one base: as many windows as people have open, so that none takes the room of others. */
  pluginGrantsPerBase: 10,
} as const
