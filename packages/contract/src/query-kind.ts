import type { z } from 'zod'

/** How a member of an input may be written in a query string; several ways for a union. */
export interface QueryKind {
  /** As it is. */
  readonly text?: true
  /** In no way: the schema refuses all there is, and says why. */
  readonly never?: true
  /** In decimal digits. */
  readonly number?: true
  /** `true` or `false`. */
  readonly boolean?: true
  /** As JSON text. */
  readonly json?: true
  /** As a repeated key, with the kind of each item by position; the last is that of all further ones. */
  readonly list?: readonly QueryKind[]
}

type Schema = z.core.$ZodType

/** The members of an object schema, or of all options of a union of them, by name. */
export function membersOf(schema: Schema): ReadonlyMap<string, Schema> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return new Map(Object.entries(def.shape))
    case 'union':
      return new Map(def.options.flatMap((option) => [...membersOf(option)]))
    case 'intersection':
      return new Map([def.left, def.right].flatMap((side) => [...membersOf(side)]))
    default: {
      const inner = innerOf(schema)
      return inner ? membersOf(inner) : new Map()
    }
  }
}

/** How a value of the schema is written in a query string. */
export function toQueryKind(schema: Schema): QueryKind {
  const inner = innerOf(schema)
  if (inner) return toQueryKind(inner)
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
    case 'template_literal':
    case 'date':
      return { text: true }
    case 'undefined':
      return { text: true, never: true }
    case 'number':
    case 'bigint':
      return { number: true }
    case 'boolean':
      return { boolean: true }
    case 'enum':
      return ofValues(Object.values(def.entries))
    case 'literal':
      return ofValues(def.values)
    case 'array':
      return ofItems([def.element])
    case 'tuple':
      return ofItems(def.rest ? [...def.items, def.rest] : def.items)
    case 'union':
      return ofOptions(def.options.map((option) => toQueryKind(option)))
    default:
      return { json: true }
  }
}

/** What a schema wraps: the optional, the defaulted, the transformed. */
function innerOf(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      return def.innerType
    case 'pipe':
      return (def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in
    case 'lazy':
      return def.getter()
    default:
      return undefined
  }
}

function ofValues(values: readonly unknown[]): QueryKind {
  return values
    .map((value): QueryKind => {
      if (typeof value === 'number') return { number: true }
      if (typeof value === 'boolean') return { boolean: true }
      return typeof value === 'string' ? { text: true } : {}
    })
    .reduce(merge, {})
}

/** What can be written in one way can be written, whatever the other options say. */
function ofOptions(options: readonly QueryKind[]): QueryKind {
  return options.filter(({ never }) => !never).reduce(merge, {})
}

/** Items that are themselves structures can't be repeated keys: the whole list is JSON then. */
function ofItems(items: readonly Schema[]): QueryKind {
  const kinds = items.map(toQueryKind)
  return kinds.some((kind) => kind.json || kind.list) ? { json: true } : { list: kinds }
}

function merge(a: QueryKind, b: QueryKind): QueryKind {
  if (!a.list || !b.list) return { ...a, ...b }
  const [longer, shorter] = a.list.length < b.list.length ? [b.list, a.list] : [a.list, b.list]
  const list = longer.map((kind, index) => merge(kind, shorter[index] ?? {}))
  return { ...a, ...b, list }
}
