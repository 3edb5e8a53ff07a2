import type { Action } from '../access/roles.ts'
import type { Plugin, PluginPosition } from './plugin.ts'

interface ShippedPlugin {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly positions: readonly PluginPosition[]
  /** The path of its page, which the service answers itself. */
  readonly page: string
  /** What its page does in the name of who looks at it, beside replacing what it stores. */
  readonly scopes: readonly Action[]
  /** What the logo shows, in a square of 24 by 24. */
  readonly drawing: string
}

/** Who made them: no user, but what ships them. */
export const shippingProduct = { id: '(gateleg)', name: 'Gateleg' }

/** The day on which the first of them was there: nobody registered them. */
const shippedTime = '2026-11-23T00:00:00.000Z'

function toPlugin({ drawing, page, scopes: _, ...shown }: ShippedPlugin): Plugin {
  return {
    ...shown,
    detailDesc: undefined,
    logo: toLogo(drawing),
    url: page,
    helpUrl: undefined,
    config: undefined,
    i18n: undefined,
    status: 'published',
    withdrawnVersion: undefined,
    secretHash: '',
    createdBy: shippingProduct.id,
    createdTime: shippedTime,
    lastModifiedTime: shippedTime,
    version: 1,
  }
}

/** A picture that needs nothing from elsewhere. */
function toLogo(drawing: string): string {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><rect width='24' height='24' rx='4' fill='#1d4ed8'/><path d='${drawing}' fill='none' stroke='#fff' stroke-width='2'/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** The picture of a plugin that is no more: an empty square. */
export const plainLogo = toLogo('M7 7H17V17H7Z')

const shipped: readonly ShippedPlugin[] = [
  {
    id: 'plgchart',
    name: 'Chart',
    description: 'Draws what is in a table',
    positions: ['dashboard', 'panel'],
    page: '/plugins/chart',
    scopes: ['base|read', 'base|query_data', 'table|read', 'field|read', 'record|read'],
    drawing: 'M6 19V12M12 19V5M18 19V9',
  },
  {
    id: 'plgcontextexample',
    name: 'Record statistics',
    description: 'Sums up the records whose menu it was chosen from',
    positions: ['contextMenu'],
    page: '/plugins/records',
    scopes: ['table|read', 'field|read', 'record|read'],
    drawing: 'M6 7H18M6 12H18M6 17H13',
  },
]

/** The plugins that ship with the product: everybody may install them, and nobody changes them. */
export const shippedPlugins: ReadonlyMap<string, Plugin> = new Map(
  shipped.map((one) => [one.id, toPlugin(one)]),
)

/** The scopes of the tokens by which their pages act, by the id of the plugin. */
export const scopesOfShipped: ReadonlyMap<string, readonly Action[]> = new Map(
  shipped.map(({ id, scopes }) => [id, scopes]),
)
