import { toTimestamp } from '@gateleg/domain/clock'
import type { DateFormatting } from '@gateleg/domain/values/dates/date-formatting'
import { timeZone } from '@gateleg/domain/values/dates/time-zone'
import { foldedForms } from '@gateleg/domain/values/text'
import type { JsonValue, QueryDialect } from '@gateleg/sql/core/dialect/query-dialect'
import {
  calendarCycleMs,
  lastListed,
  recurringFrom,
  ZoneList,
} from '@gateleg/sql/records/expressions/changes-of-zone'
import { likeLengthMax, patternOf } from '@gateleg/sql/records/expressions/like-pattern'
import { type RawBuilder, sql } from 'kysely'
import { valueTypes } from './column-types.ts'
import { newLetters } from './new-letters.ts'
import { shownNumber } from './shown-number.ts'

/** Texts are compared by code point, whatever the locale of the database is. */
const byCodePoint = sql.raw('collate "C"')

export const queryDialect: QueryDialect = {
  sortsWhole: true,
  searchesExpressions: true,
  fold: (text) =>
    sql`(case when octet_length(${text}) = length(${text}) then ${lowerOfAscii(text)} else ${folded(text)} end)`,
  foldStart: (text, length) => {
    const most = sql.lit(length)
    const isPlain = sql`octet_length(${text}) <= ${most} and octet_length(${text}) = length(${text})`
    return sql`(case when ${isPlain} then ${lowerOfAscii(text)} else ${folded(sql`substr(${text}, 1, ${most})`)} end)`
  },
  contains: (text, part) => sql`strpos(${text}, ${part}::text) > 0`,
  foldedContains: (text, part) => {
    const whole = queryDialect.fold(text)
    // A pattern tells the planner that few texts have it. Of a long one, each of its characters would be compared.
    const isLike = sql<boolean>`${whole} like ${patternOf(part)}::text`
    if (part.length <= likeLengthMax) return isLike
    return queryDialect.contains(whole, sql`${part}`)
  },
  isNotTrue: (condition) => sql`((${condition}) is not true)`,
  localText: (moment, zone, length) => {
    return localForm(moment, zone, 'YYYY-MM-DD"T"HH24:MI'.slice(0, formLengths[length]))
  },
  shownNumber,
  shownDate: (moment, { date, time, timeZone: name }) => {
    const zone = timeZone(name).isUtc ? 'UTC' : name
    return localForm(moment, zone, dateForms[date] + timeForms[time])
  },
  toMoment: (text) => sql`${text}::timestamptz`,
  placeIn: (texts, text) => sql`(array_position(${texts as unknown}::text[], ${text}) - 1)`,
  json: jsonValue,
  firstOf: (list) => jsonValue(sql`(${list} -> 0)`),
  lengthOf: (list) => sql`jsonb_array_length(${list})`,
  items: (list, name) => ({
    table: sql`jsonb_array_elements(${list}) with ordinality as ${sql.raw(name)}(value, key)`,
    item: jsonValue(sql.ref(`${name}.value`)),
  }),
  joined: (list, toText) => {
    const text = toText(jsonValue(sql.ref('j.value')))
    const items = sql`jsonb_array_elements(${list}) with ordinality as j(value, place)`
    return sql`(select coalesce(string_agg(${text}, ',' order by j.place), '') ${byCodePoint} from ${items})`
  },
  numberBits: (value) => sql`encode(float8send(${value}), 'hex')`,
  digest: (text) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
  keyed: (rows) => sql`(${rows})`,
  rowsFound: (found) => sql`(select * ${found}) as t`,
  lateral: (items) => sql`lateral ${items}`,
  isOneOf: (value, values, type) => {
    const name = sql.raw(valueTypes[type])
    if (values.length === 1) return sql`${value} = ${values[0]}::${name}`
    return sql`${value} = any(${values as unknown}::${name}[])`
  },
  // Its processes add up parts in any sequence, and each addition rounds: sums of whole numbers don't, and fractions are small.
  sum: (value) => sql`(sum(trunc(${value})) + sum(${value} - trunc(${value})))`,
  given: (value, type) => sql`${value}::${sql.raw(valueTypes[type])}`,
}

/** Where every character is one byte: a tenth of the work. */
function lowerOfAscii(text: RawBuilder<string>): RawBuilder<string> {
  return sql`(lower(${text} collate "C") ${byCodePoint})`
}

function folded(text: RawBuilder<string>): RawBuilder<string> {
  const lower = sql`lower(${text} collate "und-x-icu")`
  const { from, to } = foldedForms
  // Each letter is compared with all of these: only few texts have one that may be new.
  const isOld = sql`(${text} collate "C") !~ ${sql.lit(newLetters.pattern)}`
  const ofOld = sql`translate(${lower}, ${sql.lit(from)}, ${sql.lit(to)})`
  const ofNew = sql`translate(${lower}, ${sql.lit(from + newLetters.from)}, ${sql.lit(to + newLetters.to)})`
  return sql`((case when ${isOld} then ${ofOld} else ${ofNew} end) ${byCodePoint})`
}

/** Characters of the form of a moment that give so many characters of text. */
const formLengths: Readonly<Record<number, number>> = { 4: 4, 7: 7, 10: 10, 16: 20 }

/** The forms of dates as they are shown, in the words of the server. */
const dateForms: Readonly<Record<DateFormatting['date'], string>> = {
  'M/D/YYYY': 'FMMM/FMDD/YYYY',
  'D/M/YYYY': 'FMDD/FMMM/YYYY',
  'YYYY/MM/DD': 'YYYY/MM/DD',
  'YYYY-MM-DD': 'YYYY-MM-DD',
  'YYYY-MM': 'YYYY-MM',
  'MM-DD': 'MM-DD',
  YYYY: 'YYYY',
  MM: 'MM',
  DD: 'DD',
}

const timeForms: Readonly<Record<DateFormatting['time'], string>> = {
  'HH:mm': ' HH24:MI',
  'hh:mm A': ' HH12:MI am',
  None: '',
}

/** What the clocks of a zone show at a moment, in a form in the words of the server. */
function localForm(moment: RawBuilder<string>, zone: string, form: string): RawBuilder<string> {
  const utc = sql`(${moment} at time zone 'UTC')`
  const local = zone === 'UTC' ? utc : sql`(${utc} + ${aheadOf(zone, moment)})`
  const within = sql`least(greatest(${local}, '0001-01-01'::timestamp), '9999-12-31 23:59:59.999'::timestamp)`
  // LEAST and GREATEST pass over null.
  return sql`(case when ${moment} is not null then to_char(${within}, ${sql.lit(form)}) end ${byCodePoint})`
}

function jsonValue(json: RawBuilder<unknown>): JsonValue {
  const text = sql`(${json} #>> '{}')`
  return {
    text: sql`(${text} ${byCodePoint})`,
    number: sql`${text}::double precision`,
    boolean: sql`${text}::boolean`,
    member: (name) => sql`((${json} ->> ${sql.lit(name)}) ${byCodePoint})`,
    numberMember: (name) => sql`(${json} ->> ${sql.lit(name)})::double precision`,
  }
}

/** How far the clocks of the zone are ahead: its changes are those that Node.js knows, not those of the server. */
function aheadOf(zone: string, moment: RawBuilder<unknown>): RawBuilder<unknown> {
  const { moments, offsetsMs } = ZoneList.ofZone(zone)
  const index = sql`width_bucket(${listedMoment(moment)}, ${moments as unknown}::timestamptz[])`
  return sql`(${offsetsMs as unknown}::double precision[])[${index} + 1] * interval '1 millisecond'`
}

/** A moment whose changes of clocks are listed, at which all clocks are as far ahead as at this one. */
function listedMoment(moment: RawBuilder<unknown>): RawBuilder<unknown> {
  const inSeconds = (epochMs: number) => sql.lit(epochMs / 1_000)
  const since = sql`(extract(epoch from ${moment}) - ${inSeconds(recurringFrom)})`
  const cycle = inSeconds(calendarCycleMs)
  const later = sql`(floor(${since} / ${cycle}) * ${cycle})::double precision * interval '1 second'`
  const isLater = sql`${moment} >= ${sql.lit(toTimestamp(lastListed))}::timestamptz`
  return sql`(case when ${isLater} then ${moment} - ${later} else ${moment} end)`
}
