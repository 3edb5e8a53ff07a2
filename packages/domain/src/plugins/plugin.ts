import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import { secretMask } from '../login-providers/provider-config.ts'
import type { Settings } from '../settings.ts'

/** Where people put plugins: on a dashboard, in place of a view, in the menu of a table's records, on a panel beside a table. */
export const pluginPositions = ['dashboard', 'view', 'contextMenu', 'panel'] as const
/** One of them. */
export type PluginPosition = (typeof pluginPositions)[number]

/** How far a plugin is on its way to everybody. */
const pluginStatuses = ['developing', 'reviewing', 'published'] as const
/** One of them. */
export type PluginStatus = (typeof pluginStatuses)[number]

/** What a plugin says of itself in another language. */
export interface PluginWords {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly detailDesc?: string | undefined
}

/** A page of somebody's that people put into their bases. */
export interface Plugin {
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  readonly detailDesc: string | undefined
  /** A full URL, as is that of its help. */
  readonly logo: string
  /** Where the page is: a full URL, or a path where the plugin ships with the product. */
  readonly url: string | undefined
  readonly helpUrl: string | undefined
  /** How the page is shown, as its maker says: kept as it was sent. */
  readonly config: Readonly<Record<string, unknown>> | undefined
  readonly positions: readonly PluginPosition[]
  /** The words by the tag of their language. */
  readonly i18n: Readonly<Record<string, PluginWords>> | undefined
  readonly status: PluginStatus
  /** The version with which it was last published no more: what others let it do before has ended. */
  readonly withdrawnVersion: number | undefined
  /** A digest of the secret, which is shown once; that of a plugin that ships with the product is a digest of nothing. */
  readonly secretHash: string
  readonly createdBy: string
  readonly createdTime: Timestamp
  readonly lastModifiedTime: Timestamp
  readonly version: number
}

/** The plugin at another status, or the same, as its next version. */
export function toStatus(plugin: Plugin, status: PluginStatus): Plugin {
  const version = plugin.version + 1
  const isWithdrawn = plugin.status === 'published' && status !== 'published'
  return { ...plugin, status, version, ...(isWithdrawn && { withdrawnVersion: version }) }
}

const words = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  detailDesc: z.string().optional(),
})

/** What everybody sees of a plugin. */
const shownToAll = z.object({
  id: z.string().describe('The id of the plugin'),
  name: z.string().describe('What people see of it'),
  description: z.string().optional().describe('What it does, in a sentence'),
  detailDesc: z.string().optional().describe('The same at length'),
  logo: z.string().describe('The URL of its picture'),
  helpUrl: z.string().optional().describe('The URL of what is written about it'),
  i18n: z.record(z.string(), words).optional().describe('Its words by language'),
  url: z.string().optional().describe('The URL of its page'),
  positions: z.array(z.enum(pluginPositions)).describe('Where it may be put'),
  status: z.enum(pluginStatuses).describe('Whether others than its maker may install it'),
  createdTime: z.string().describe('When it was registered'),
  lastModifiedTime: z.string().describe('When it was last changed'),
})

/** A plugin as people find it who look for one to install. */
export const installablePluginOutput = shownToAll
  .extend({
    createdBy: z
      .object({ id: z.string(), name: z.string(), avatar: z.string().optional() })
      .describe(`Who made it; \`(gateleg)\` is no user, and made what ships with the product`),
  })
  .meta({ id: 'InstallablePlugin' })

/** A plugin in the list of its maker. */
export const listedPluginOutput = shownToAll.meta({ id: 'ListedPlugin' })

/** A plugin as its maker sees it. */
export const pluginOutput = shownToAll
  .extend({
    config: z.record(z.string(), z.unknown()).optional().describe('How its page is shown'),
    secret: z.string().describe('Its secret where it was made by this call, else asterisks'),
  })
  .meta({ id: 'Plugin' })

/** The URL of the page of a plugin; where it isn't known by which address browsers reach the service, that of a shipped one is a path. */
export function pageUrlOf(
  { url }: Pick<Plugin, 'url'>,
  { publicUrl = '' }: Pick<Settings, 'publicUrl'>,
): string | undefined {
  return url?.startsWith('/') ? `${publicUrl}${url}` : url
}

/** What everybody sees of the plugin; what was never set is left out. */
export function toListedPlugin(plugin: Plugin) {
  const { id, name, description, detailDesc, logo, helpUrl, i18n, url, positions, status } = plugin
  const { createdTime, lastModifiedTime } = plugin
  return {
    ...{ id, name },
    ...(description !== undefined && { description }),
    ...(detailDesc !== undefined && { detailDesc }),
    logo,
    ...(helpUrl !== undefined && { helpUrl }),
    ...(i18n !== undefined && { i18n: { ...i18n } }),
    ...(url !== undefined && { url }),
    positions: [...positions],
    ...{ status, createdTime, lastModifiedTime },
  }
}

/** What its maker sees of the plugin: the secret is known where it was just made. */
export function toPluginOutput(plugin: Plugin, secret: string = secretMask) {
  const { config, version } = plugin
  const shown = toListedPlugin(plugin)
  return { ...shown, ...(config !== undefined && { config: { ...config } }), secret, version }
}
