import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { parseInput } from '../input/parse-input.ts'
import { limits } from '../limits.ts'
import { addOnProductSchema, baseProductSchema, catalogs, levels } from './product.ts'

const catalogueSchema = z
  .strictObject({
    baseProducts: z.array(baseProductSchema).max(limits.productsPerCatalogue),
    addOnProducts: z.array(addOnProductSchema).max(limits.productsPerCatalogue),
    plans: z.strictObject({
      catalog: z.enum(catalogs),
      level: z.enum(levels),
      spaces: z.record(idSchema, z.enum(levels)).optional(),
    }),
  })
  .superRefine((catalogue, { addIssue }) => {
    for (const [path, message] of contradictionsIn(catalogue)) {
      addIssue({ code: 'custom', path, message })
    }
  })

/**
 * What the operator sells, and what spaces have of it: `plans.level` is the level of every space but those that
 * `plans.spaces` names. A level means what the base product of `plans.catalog` with that level says.
 */
export type Catalogue = z.output<typeof catalogueSchema>

/** The catalogue that a text holds, or what is wrong with it, in sentences for the operator. */
export type ReadCatalogue =
  | { readonly catalogue: Catalogue; readonly problems?: never }
  | { readonly problems: readonly string[]; readonly catalogue?: never }

/** Reads a catalogue from JSON text. */
export function readCatalogue(text: string): ReadCatalogue {
  if (text.length > limits.catalogueLength) {
    return { problems: [`must have at most ${limits.catalogueLength} characters`] }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problems: ['must be JSON'] }
  }
  const parsed = parseInput(catalogueSchema, value)
  if ('data' in parsed) return { catalogue: parsed.data }
  const issues = parsed.issues.slice(0, limits.issuesNamed)
  return {
    problems: issues.map(({ path, message }) =>
      path.length > 0 ? `${path.join('.')}: ${message}` : message,
    ),
  }
}

type Contradiction = readonly [path: (string | number)[], message: string]

interface Listed {
  readonly id: string
  readonly prices: readonly { readonly id: string; readonly productId: string }[]
}

/** What is wrong of members that are right each by itself. */
function contradictionsIn({ baseProducts, addOnProducts, plans }: Catalogue): Contradiction[] {
  const found: Contradiction[] = []
  const seen = new Set<string>()
  const once = (key: string, path: (string | number)[], message: string) => {
    if (seen.has(key)) found.push([path, message])
    seen.add(key)
  }
  const look = (list: string, products: readonly Listed[]) => {
    for (const [index, { id, prices }] of products.entries()) {
      once(`product ${id}`, [list, index, 'id'], `"${id}" is the id of another product`)
      for (const [place, price] of prices.entries()) {
        const path = [list, index, 'prices', place]
        once(`price ${price.id}`, [...path, 'id'], `"${price.id}" is the id of another price`)
        if (price.productId !== id) found.push([[...path, 'productId'], `must be "${id}"`])
      }
    }
  }
  look('baseProducts', baseProducts)
  look('addOnProducts', addOnProducts)
  for (const [index, { catalog, level }] of baseProducts.entries()) {
    const message = `there is another base product of "${catalog}" with the level "${level}"`
    once(`level ${catalog} ${level}`, ['baseProducts', index, 'level'], message)
  }
  const used = [
    [['plans', 'level'], plans.level],
    ...Object.entries(plans.spaces ?? {}).map(([id, level]) => [['plans', 'spaces', id], level]),
  ] as const
  for (const [path, level] of used) {
    if (seen.has(`level ${plans.catalog} ${level}`)) continue
    const message = `there is no base product of "${plans.catalog}" with the level "${level}"`
    found.push([[...path], message])
  }
  return found
}
