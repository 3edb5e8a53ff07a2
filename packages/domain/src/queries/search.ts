import { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { splitNames } from '../fields/cells/name-list.ts'
import { limits } from '../limits.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import { storableTextUpTo, textUpTo } from '../values/storable-text.ts'
import { foldCase } from '../values/text.ts'
import { canShow } from './shown-text.ts'
import { type FilterContext, findField } from './to-condition.ts'

/** A search as a caller sends it: a text, the fields it is looked for in, and whether records without it are left out. */
export const searchSchema = z
  .tuple([
    storableTextUpTo(limits.filterTextLength).describe('The text that is looked for'),
    z
      .union([textUpTo(limits.searchFieldsLength), z.literal(true)])
      .optional()
      .describe(
        'The fields it is looked for in, named as `fieldKeyType` says or by their ids, with commas between them; all that are shown where it is empty or `true`',
      ),
    z
      .boolean()
      .optional()
      .describe('Whether records are left out in which it is nowhere (hideNotMatchRow)'),
  ])
  .meta({ id: 'Search' })

/** A search as a caller sends it. */
export type SearchInput = z.output<typeof searchSchema>

/** What a search asks of the records of a table. */
export interface Search {
  /** Folded; not empty. */
  readonly text: string
  /** Those in which it may be found, in the order in which they are shown. */
  readonly fields: readonly SchemaField[]
  readonly hidesOthers: boolean
}

/**
 * What the search of a request asks, of the fields that are shown; undefined where its text is empty, which asks
 * nothing. Throws validation_error for fields that aren't shown, or that there are not.
 */
export function toSearch(
  [text, names, hidesOthers = false]: SearchInput,
  shown: readonly SchemaField[],
  context: Pick<FilterContext, 'schema' | 'fieldKeyType'>,
): Search | undefined {
  const fields = namedFields(names, shown, context)
  if (text === '') return undefined
  const folded = foldCase(text)
  return {
    text: folded,
    fields: fields.filter(({ rules }) => canShow(rules.form, folded)),
    hidesOthers,
  }
}

function namedFields(
  names: SearchInput[1],
  shown: readonly SchemaField[],
  context: Pick<FilterContext, 'schema' | 'fieldKeyType'>,
): readonly SchemaField[] {
  // In a query string a truth value is text.
  if (names === undefined || names === true || names === '' || names === 'true') return shown
  const one = findField(names, context)
  const keys = one ? [names] : splitNames(names)
  const named = new Set(
    keys.map((key) => {
      const field = findField(key, context)
      if (field && shown.includes(field)) return field
      const what = field ? 'which the view shows' : 'of the table'
      throw invalidAt(['search', 1], `must be names or ids of fields ${what}, with commas between`)
    }),
  )
  return shown.filter((field) => named.has(field))
}
