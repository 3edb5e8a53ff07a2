import { both, type Condition, not } from '../../queries/condition.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import type { SortValue } from '../../queries/sort-value.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import { sha256 } from '../../values/bytes/sha256.ts'
import type { FoundGroup } from '../reading/record-finder.ts'

/** Begins the id of a group; that many digits of a digest follow. */
const prefix = 'grp'
const digits = 16

type Identities = Pick<FoundGroup, 'identities'>

/**
 * The ids of each group and of those that it is in, the outermost first, in the order of the groups. They follow from
 * the table, the fields and the values alone: the same group has the same id wherever it is told.
 */
export function groupIdsOf(
  { tableId }: Pick<TableSchema, 'tableId'>,
  fields: readonly SchemaField[],
  groups: readonly Identities[],
): readonly (readonly string[])[] {
  let last: { readonly identities: readonly SortValue[]; readonly ids: readonly string[] } = {
    identities: [],
    ids: [],
  }
  return groups.map(({ identities }) => {
    const ids: string[] = []
    let isSame = true
    for (const [depth, { field }] of fields.entries()) {
      isSame &&= depth < last.ids.length && identities[depth] === last.identities[depth]
      const known = isSame ? last.ids[depth] : undefined
      const path = [ids[depth - 1] ?? tableId, field.id, identities[depth]]
      ids.push(known ?? `${prefix}${sha256(JSON.stringify(path)).slice(0, digits)}`)
    }
    last = { identities, ids }
    return ids
  })
}

/** The query without the records of the groups that have one of the ids; ids of no group ask nothing. */
export function withoutGroups(
  query: RecordQuery,
  fields: readonly SchemaField[],
  groups: readonly Identities[],
  ids: readonly (readonly string[])[],
  collapsed: ReadonlySet<string>,
): RecordQuery {
  /** Of the groups that others are in, by their id: these, and the values of those in them. */
  const byParent = new Map<
    string,
    { readonly within: readonly SortValue[]; values: Set<SortValue> }
  >()
  for (const [index, { identities }] of groups.entries()) {
    const path = ids[index] ?? []
    const depth = path.findIndex((id) => collapsed.has(id))
    if (depth === -1) continue
    const parent = path[depth - 1] ?? ''
    const siblings = byParent.get(parent) ?? {
      within: identities.slice(0, depth),
      values: new Set(),
    }
    siblings.values.add(identities[depth] ?? null)
    byParent.set(parent, siblings)
  }
  if (byParent.size === 0) return query
  const conditions = [...byParent.values()].map(({ within, values }): Condition => {
    const path = [...within.map((value) => [value]), [...values]]
    const parts = path.flatMap((one, depth): Condition[] => {
      const field = fields[depth]
      return field ? [{ kind: 'group', field, values: one }] : []
    })
    return { kind: 'all', conditions: parts }
  })
  const isCollapsed: Condition = { kind: 'any', conditions }
  return { ...query, condition: both(query.condition, not(isCollapsed)) }
}
