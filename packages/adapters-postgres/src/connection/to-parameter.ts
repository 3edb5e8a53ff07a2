import { assert } from '@gateleg/domain/errors'
import { ZoneList } from '@gateleg/sql/records/expressions/changes-of-zone'

/** A value as PostgreSQL takes it for a parameter: null, or its text; that of a list for any array type. */
export function toParameter(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'undefined':
      return null
    default:
      if (value === null || Buffer.isBuffer(value)) return value
      if (value instanceof ZoneList) return toList(value.values)
      assert(Array.isArray(value), 'values of statements are texts, numbers, truth values or lists')
      return toList(value)
  }
}

/** The text of a list, with lists in it for each of its dimensions. */
function toList(values: readonly unknown[]): string {
  let text = '{'
  for (const value of values) {
    if (text.length > 1) text += ','
    if (value == null) text += 'NULL'
    else if (Array.isArray(value)) text += toList(value)
    else if (typeof value === 'string') text += quoted(value)
    else text += toParameter(value)
  }
  return `${text}}`
}

function quoted(text: string): string {
  return `"${special.test(text) ? text.replace(everySpecial, '\\$&') : text}"`
}

const special = /["\\]/
const everySpecial = /["\\]/g
