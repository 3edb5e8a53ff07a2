import { unknownPerson } from '@gateleg/domain/fields/cells/user-cells'
import { coverOf, isInSearchIndex } from '@gateleg/domain/indexes/search-cover'
import { trigramLength } from '@gateleg/domain/indexes/trigrams'
import type { Condition } from '@gateleg/domain/queries/condition'
import { itemSeparator } from '@gateleg/domain/queries/shown-text'
import { searchKey } from '@gateleg/domain/schemas/search-key'
import type { SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { foldCase } from '@gateleg/domain/values/text'
import { type RawBuilder, sql } from 'kysely'
import { ownTable } from '../core/own-tables/own-table.ts'
import type { SqlSession } from '../core/session.ts'
import type { IndexDemands } from '../index-demand/index-demand.ts'
import { recordTableOf } from '../record-tables/record-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { findCandidates } from './find-candidates.ts'

/** The text of a search, and the fields in which it is searched. */
export interface LookedFor {
  readonly fields: readonly SchemaField[]
  /** Folded. */
  readonly text: string
}

/** The text that all records of the condition must show; undefined where they needn't show any. */
export function lookedForIn(condition: Condition): LookedFor | undefined {
  if (condition.kind === 'shows') return condition
  if (condition.kind !== 'all') return undefined
  for (const part of condition.conditions) {
    const found = lookedForIn(part)
    if (found) return found
  }
  return undefined
}

/**
 * A condition, by the search index, for the records of the table `t` that may show the text in one of the fields;
 * undefined where the index can't tell. It includes every record that shows the text, and some that don't. It also
 * notes that the index was wanted.
 */
export async function candidatesSql(
  session: SqlSession,
  demand: IndexDemands,
  schema: TableSchema,
  { fields, text }: LookedFor,
): Promise<RawBuilder<boolean> | undefined> {
  const covered = fields.filter(isInSearchIndex)
  if (text.length < trigramLength || covered.length === 0) return undefined
  demand.note(schema, searchKey)
  const { searchCovers } = schema
  // What was folded by another version of Unicode may lack what is looked for.
  if (!searchCovers?.has(session.dialect.tables.indexes.unicode)) return undefined
  if (!covered.every((field) => searchCovers.has(coverOf(field)))) return undefined
  if (await mayShowPerson(session, fields, text)) return undefined
  const candidates = await findCandidates(session, schema.tableId, text)
  if (!candidates) return undefined
  const { dialect } = session
  const number = sql.id(systemColumns.autoNumber.name)
  const list = sql`${JSON.stringify(candidates.numbers)}`
  const known = sql`select cast(i.value as bigint) from ${dialect.lists.items(list, 'i')}`
  const others = sql`select ${number} from ${recordTableOf(schema, dialect).name} where ${number} > ${candidates.until}`
  return sql`t.${number} in (${known} union all ${others})`
}

/** Whether some person's name may be what a field of people shows of the text. */
async function mayShowPerson(
  session: SqlSession,
  fields: readonly SchemaField[],
  text: string,
): Promise<boolean> {
  const forms = fields.map(({ rules }) => rules.form).filter(({ item }) => item.kind === 'user')
  if (forms.length === 0) return false
  if (foldCase(unknownPerson).includes(text)) return true
  // A text may begin with one name and end with another.
  const isAcross = [...itemSeparator].some((letter) => text.includes(letter))
  if (isAcross && forms.some(({ isList }) => isList)) return true
  const { dialect } = session
  const users = ownTable(dialect, 'users')
  const isNamed = dialect.queries.foldedContains(sql<string>`u.name`, text)
  const found = await session.allOnce(sql`select 1 from ${users} as u where ${isNamed} limit 1`)
  return found.length > 0
}
