import type { ForeignTable } from '../../computed/derivation.ts'
import type { Field } from '../../field.ts'
import { typeOf } from '../../field-values.ts'
import type { NamedDefinition } from '../definition/build-fields.ts'
import type { CheckedDefinition } from '../definition/field-definition.ts'

/** Where default names look things up. */
interface NameSources {
  /** The fields that the table has, by id. */
  readonly own: ReadonlyMap<string, Field>
  foreign(tableId: string): Promise<ForeignTable | undefined>
}

/**
 * Gives each definition the name that its field has when its creator gave none: that of the type; that of
 * the linked table; for what is read through a link, the names of the field and of the link.
 */
export async function withDefaultNames(
  checked: readonly CheckedDefinition[],
  sources: NameSources,
): Promise<readonly NamedDefinition[]> {
  const linkNames = new Map([...sources.own.values()].map(({ id, name }) => [id, name]))
  const nameOf = async (one: CheckedDefinition) =>
    one.definition.name ?? (await defaultNameOf(one, sources, linkNames))
  // What is read through a link may stand before it in a request.
  for (const one of checked) {
    const { id, lookupOptions } = one.definition
    if (id !== undefined && !lookupOptions) linkNames.set(id, await nameOf(one))
  }
  const named: NamedDefinition[] = []
  for (const one of checked) named.push({ ...one, defaultName: await nameOf(one) })
  return named
}

async function defaultNameOf(
  { type, options, definition: { isLookup, lookupOptions } }: CheckedDefinition,
  { foreign }: NameSources,
  linkNames: ReadonlyMap<string, string>,
): Promise<string> {
  if (lookupOptions) {
    const { foreignTableId, lookupFieldId, linkFieldId } = lookupOptions
    const read = (await foreign(foreignTableId))?.fields.get(lookupFieldId)?.name ?? 'Field'
    const from = `(from ${linkNames.get(linkFieldId) ?? 'Link'})`
    return isLookup ? `${read} ${from}` : `${read} Rollup ${from}`
  }
  const target = typeOf({ type: type.name }).link?.targetOf(options)
  const table = target && (await foreign(target.foreignTableId))?.table
  return table?.name ?? type.defaultName(options)
}
