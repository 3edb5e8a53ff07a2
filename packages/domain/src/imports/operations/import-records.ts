import { z } from 'zod'
import { requireUserId, showing } from '../../access/guard.ts'
import { type Issue, invalid } from '../../errors.ts'
import { isComputed } from '../../fields/field-values.ts'
import { idSchema } from '../../ids.ts'
import { describedAs } from '../../input/described-as.ts'
import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import { onTableOfBase } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { sentObject } from '../../values/sent-object.ts'
import { beginImport } from '../begin-import.ts'
import { type Import, importOutput, toImportOutput } from '../import.ts'
import { importShape } from '../import-shape.ts'
import { forgetRows, receiveRows } from '../receive-rows.ts'

const columnMap = describedAs(sentObject(limits.fieldsPerTable), () =>
  z.record(z.string(), z.int().min(0).nullable()),
)

const input = z.object({
  baseId: idSchema,
  tableId: idSchema,
  ...importShape,
  sourceColumnMap: columnMap
    .optional()
    .describe(
      'The column of each field by its id, from 0; null for none. Else columns are named like fields',
    ),
})

/** Makes records of the rows of a file in a table that there is. Short files are imported before the answer. */
export const importRecords = defineWrite({
  summary: 'Import a CSV file into a table',
  input,
  output: importOutput,
  access: showing(onTableOfBase('table|import', 'update'), 'record|create'),
  needs: ['csvReader', 'clock'],
  prepare: async (context, sent) => {
    const { store, actor } = context
    const userId = requireUserId(actor)
    const toRead = showing(onTableOfBase('table|import'), 'record|create')
    const schema = await store.read(async (tx) => {
      const { scope } = await toRead.enter(tx, actor, sent)
      return tx.fields.schemaOf(scope.table)
    })
    const { content, excludeFirstRow, partial, encoding, delimiter, baseId } = sent
    const checkHeader = (header: readonly string[]) => void fieldsOf(schema, header, sent)
    const file = { content, excludeFirstRow, partial, encoding, delimiter, checkHeader }
    return receiveRows({ ...context, userId, baseId }, file)
  },
  abandon: (context, received) => forgetRows(context, received),
  run: async (context, sent) => {
    const { tx, table, prepared } = context
    // They may have changed while the file came.
    const fieldIds = fieldsOf(await tx.fields.schemaOf(table), prepared.header, sent)
    return toImportOutput(await beginImport(context, prepared, fieldIds))
  },
})

/** The field of each column, null for those that are passed over. Throws validation_error for columns that don't fit. */
function fieldsOf(
  schema: TableSchema,
  header: readonly string[],
  { sourceColumnMap }: Pick<z.output<typeof input>, 'sourceColumnMap'>,
): Import['fieldIds'] {
  return sourceColumnMap
    ? fieldsByMap(schema, header.length, sourceColumnMap)
    : fieldsByName(schema, header)
}

function fieldsByMap(
  { byKey }: TableSchema,
  count: number,
  map: Readonly<Record<string, unknown>>,
): Import['fieldIds'] {
  const fieldIds: (string | null)[] = new Array(count).fill(null)
  const issues: Issue[] = []
  for (const [id, place] of Object.entries(map)) {
    const path = ['sourceColumnMap', id.slice(0, limits.idLength)]
    const found = byKey.id.get(id)
    if (place === null) continue
    if (!found) issues.push({ path, message: 'must be the id of a field of the table' })
    else if (isComputed(found.field)) issues.push({ path, message: 'must not be a computed field' })
    else if (!Number.isInteger(place) || Number(place) < 0 || Number(place) >= count) {
      issues.push({
        path,
        message: `must be the position of one of the ${count} columns, counted from 0`,
      })
    } else if (fieldIds[Number(place)] !== null) {
      issues.push({
        path,
        message: 'must be a column that is not the source of another field already',
      })
    } else fieldIds[Number(place)] = id
  }
  return requireSome(fieldIds, issues, { path: ['sourceColumnMap'], message: 'must name a field' })
}

/** Columns that are named like computed fields are passed over: an exported file has them. */
function fieldsByName({ byKey }: TableSchema, header: readonly string[]): Import['fieldIds'] {
  const issues: Issue[] = []
  const taken = new Set<string>()
  const fieldIds = header.map((text) => {
    const field = byKey.name.get(text.trim())?.field
    if (field && !taken.has(field.id)) {
      taken.add(field.id)
      return isComputed(field) ? null : field.id
    }
    const path = ['content', text.slice(0, limits.nameLength)]
    const message = field
      ? 'must be the name of only one column'
      : 'is not the name of a field of the table: rename the column, or name the field that each column is for in the sourceColumnMap of a call'
    issues.push({ path, message })
    return null
  })
  const none = { path: ['content'], message: 'must have a column that can be written' }
  return requireSome(fieldIds, issues, none)
}

/** The fields of the columns, where there are no issues. Where all columns are passed over, that is one. */
function requireSome(
  fieldIds: Import['fieldIds'],
  issues: readonly Issue[],
  none: Issue,
): Import['fieldIds'] {
  if (issues.length > 0) throw invalid(issues.slice(0, limits.issuesNamed))
  if (fieldIds.every((id) => id === null)) throw invalid([none])
  return fieldIds
}
