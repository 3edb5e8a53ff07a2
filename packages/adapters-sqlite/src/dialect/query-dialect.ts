import type { JsonValue, QueryDialect } from '@gateleg/sql/core/dialect/query-dialect'
import { systemColumns } from '@gateleg/sql/record-tables/system-columns'
import { likeLengthMax, patternOf } from '@gateleg/sql/records/expressions/like-pattern'
import { type RawBuilder, sql } from 'kysely'

/** By which a row is found again. */
const number = sql.ref(`t.${systemColumns.autoNumber.name}`)

const isAscii = /^[\0-\x7f]*$/

/** SQLite folds ASCII alone and knows no time zones: what it lacks are functions of each connection. */
export const queryDialect: QueryDialect = {
  sortsWhole: false,
  searchesExpressions: false,
  // Without the function where every character is one byte, which is twenty times as fast.
  fold: (text) =>
    sql`case when length(${text}) = octet_length(${text}) then lower(${text}) else gateleg_fold(${text}) end`,
  foldStart: (text, length) =>
    sql`case when length(${text}) = octet_length(${text}) and octet_length(${text}) <= ${sql.lit(length)} then lower(${text}) else gateleg_fold(substr(${text}, 1, ${sql.lit(length)})) end`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  foldedContains: (text, part) => {
    const isOther = sql<boolean>`length(${text}) <> octet_length(${text})`
    const inFolded = sql<boolean>`(${isOther} and instr(gateleg_fold(${text}), ${part}) > 0)`
    // No letter beyond ASCII is in a text of characters that are one byte each.
    if (!isAscii.test(part)) return inFolded
    // LIKE takes upper and lower case of ASCII for the same, and makes no text; but of a long part it compares each character.
    const inPlain =
      part.length <= likeLengthMax
        ? sql<boolean>`${text} like ${patternOf(part)} escape '\\'`
        : sql<boolean>`instr(lower(${text}), ${part}) > 0`
    return sql`(${inPlain} or ${inFolded})`
  },
  isNotTrue: (condition) => sql`coalesce(not (${condition}), 1)`,
  localText: (moment, zone, length) => {
    const local = zone === 'UTC' ? moment : sql`gateleg_local(${moment}, ${zone})`
    return sql`substr(${local}, 1, ${sql.lit(length)})`
  },
  shownNumber: (value, formatting) => {
    const symbol = formatting?.type === 'currency' ? formatting.symbol : ''
    const { type, precision } = formatting ?? { type: 'plain', precision: 0 }
    return sql`gateleg_number(${value}, ${type}, ${precision}, ${symbol})`
  },
  shownDate: (moment, { date, time, timeZone }) =>
    sql`gateleg_date(${moment}, ${date}, ${time}, ${timeZone})`,
  toMoment: (text) => text,
  placeIn: (texts, text) =>
    sql`(select key from json_each(${texts as unknown}) as place where place.value = ${text})`,
  json: (value) => valueAt(value, '$'),
  firstOf: (list) => valueAt(list, '$[0]'),
  lengthOf: (list) => sql`json_array_length(${list})`,
  items: (list, name) => ({
    table: sql`json_each(${list}) as ${sql.raw(name)}`,
    item: itemOf(name),
  }),
  joined: (list, toText) =>
    sql`(select coalesce(group_concat(${toText(itemOf('j'))}, ',' order by j.key), '') from json_each(${list}) as j)`,
  numberBits: (value) => sql`gateleg_bits(${value})`,
  digest: (text) => sql`gateleg_digest(${text})`,
  keyed: (rows) => sql`(with keyed as materialized (${rows}) select * from keyed)`,
  rowsFound: (found, table) =>
    sql`(select ${number} as number ${found}) as found cross join ${table} on ${number} = found.number`,
  lateral: (items) => items,
  isOneOf: (value, values) => {
    if (values.length === 1) return sql`${value} = ${values[0]}`
    return sql`${value} in (select value from json_each(${values as unknown}))`
  },
  // It adds up what each addition rounds away, too.
  sum: (value) => sql`sum(${value})`,
  given: (value) => sql`${value}`,
}

/** The item of a row of a table of items. In parentheses, as `||` beside it binds no less than `->>`. */
function itemOf(name: string): JsonValue {
  const value = sql.ref<never>(`${name}.value`)
  const member = (of: string) => sql<never>`(${value} ->> ${sql.lit(`$.${of}`)})`
  return { text: value, number: toReal(value), boolean: value, member, numberMember: member }
}

/** JSON has whole numbers as such, of which those beyond 2^53 aren't the doubles that they stand for, nor can all be added up. */
function toReal(value: RawBuilder<unknown>): RawBuilder<number> {
  return sql`cast(${value} as real)`
}

function valueAt(json: RawBuilder<unknown>, path: string): JsonValue {
  const value = sql<never>`(${json} ->> ${sql.lit(path)})`
  const member = (name: string) => sql<never>`(${json} ->> ${sql.lit(`${path}.${name}`)})`
  return { text: value, number: toReal(value), boolean: value, member, numberMember: member }
}
