import fc from 'fast-check'
import { description, name, ref } from '../scripts/arguments.ts'
import { type FieldArgs, fieldArgs, toDefinition } from '../scripts/field-arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { KnownField, ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

interface FieldRef {
  readonly table: Ref
  readonly field: Ref
  readonly [member: string]: unknown
}

interface FieldsRef {
  readonly table: Ref
  readonly fields: readonly Ref[]
}

interface NewFieldArgs {
  readonly table: Ref
  readonly definition: FieldArgs
  readonly order?: { readonly view: Ref; readonly orderIndex: number }
}

const onField = fc.record({ table: ref, field: ref })

function toField({ table, field, ...rest }: FieldRef, { tables }: ScriptState) {
  const found = tables.find(table)
  return {
    tableId: found?.id ?? 'unknown',
    fieldId: found?.fields.idOf(field) ?? 'unknown',
    ...rest,
  }
}

interface ConvertingArgs {
  readonly table: Ref
  readonly field: Ref
  readonly definition: FieldArgs
  /** Whether a field that has the type already is meant, if there is one. */
  readonly isOfType?: boolean
}

const converting = fc.record(
  { table: ref, field: ref, definition: fieldArgs, isOfType: fc.boolean() },
  { requiredKeys: ['table', 'field', 'definition'] },
)

function toConversion(args: ConvertingArgs, known: ScriptState) {
  const { table, field, definition, isOfType = false } = args
  const found = known.tables.find(table)
  const { id: _, ...wanted } = toDefinition(definition, known, found)
  const ofType = found?.fields.there.filter(({ type }) => type === wanted.type) ?? []
  const chosen = isOfType ? ofType[Math.max(field, 0) % ofType.length] : undefined
  return {
    tableId: found?.id ?? 'unknown',
    fieldId: (chosen ?? found?.fields.find(field))?.id ?? 'unknown',
    ...wanted,
  }
}

const onFields = fc.record({ table: ref, fields: fc.array(ref, { maxLength: 3 }) })

function toFields({ table, fields }: FieldsRef, { tables }: ScriptState) {
  const found = tables.find(table)
  return {
    tableId: found?.id ?? 'unknown',
    fieldIds: fields.map((field) => found?.fields.idOf(field) ?? 'unknown'),
  }
}

const learnField = (known: ScriptState, field: KnownField, { tableId }: { tableId?: unknown }) =>
  known.tableOf(tableId)?.fields.add(field)

const changes = {
  name,
  description,
  dbFieldName: fc.constantFrom('plan', 'Plan', 'a b', 'Name', 'rowid', '__id', 'x'.repeat(63)),
}

export const fieldOperations: ScriptedFeature<'fields'> = {
  createField: scripted({
    weight: 7,
    args: fc.record(
      {
        table: ref,
        definition: fieldArgs,
        order: fc.record({ view: ref, orderIndex: fc.constantFrom(-1, 0, 0.5, 1, 100) }),
      },
      { requiredKeys: ['table', 'definition'] },
    ),
    toInput: ({ table, definition, order }: NewFieldArgs, known) => {
      const found = known.tables.find(table)
      const viewId = order && (found?.views.idOf(order.view) ?? 'unknown')
      return {
        tableId: found?.id ?? 'unknown',
        ...toDefinition(definition, known, found),
        ...(order && { order: { viewId, orderIndex: order.orderIndex } }),
      }
    },
    learn: learnField,
  }),
  listFields: scripted({
    weight: 3,
    args: fc.record({ table: ref }),
    toInput: ({ table }, { tables }) => ({ tableId: tables.idOf(table) }),
    learn: (known, fields: readonly KnownField[], { tableId }) => {
      for (const field of fields) known.tableOf(tableId)?.fields.add(field)
    },
  }),
  getDeleteReferences: scripted({ weight: 0.7, args: onFields, toInput: toFields }),
  getField: scripted({ weight: 1, args: onField, toInput: toField }),
  listFieldFilterRecords: scripted({ weight: 0.5, args: onField, toInput: toField }),
  updateField: scripted({
    weight: 3,
    args: fc.record({ table: ref, field: ref, ...changes }, { requiredKeys: ['table', 'field'] }),
    toInput: toField,
    learn: (known, _answer, { tableId, fieldId, name, dbFieldName }) => {
      const fields = known.tableOf(tableId)?.fields
      const field = fields?.there.find(({ id }) => id === fieldId)
      if (!field) return
      const names = {
        ...(typeof name === 'string' && { name: name.trim() }),
        ...(typeof dbFieldName === 'string' && { dbFieldName }),
      }
      fields?.add({ ...field, ...names })
    },
  }),
  convertField: scripted({
    weight: 5,
    args: converting,
    toInput: toConversion,
    learn: learnField,
  }),
  duplicateField: scripted({
    weight: 1.5,
    args: fc.record(
      { table: ref, field: ref, name, view: ref },
      { requiredKeys: ['table', 'field'] },
    ),
    toInput: ({ view, ...rest }: FieldRef & { readonly view?: Ref }, known) => ({
      ...toField(rest, known),
      ...(view !== undefined && {
        viewId: known.tables.find(rest.table)?.views.idOf(view) ?? 'unknown',
      }),
    }),
    learn: learnField,
  }),
  deleteField: scripted({
    weight: 1,
    args: onField,
    toInput: toField,
    learn: (known, _answer, { tableId, fieldId }) =>
      known.tableOf(tableId)?.fields.drop(String(fieldId)),
  }),
  deleteFields: scripted({
    weight: 0.5,
    args: onFields,
    toInput: toFields,
    learn: (known, _answer, { tableId, fieldIds }) => {
      for (const id of fieldIds as readonly string[]) known.tableOf(tableId)?.fields.drop(id)
    },
  }),
  planCreation: scripted({
    weight: 0.7,
    args: fc.record({ table: ref, definition: fieldArgs }),
    toInput: ({ table, definition }, known) => {
      const found = known.tables.find(table)
      return { tableId: found?.id ?? 'unknown', ...toDefinition(definition, known, found) }
    },
  }),
  planConversion: scripted({ weight: 1.2, args: converting, toInput: toConversion }),
  planDeletion: scripted({ weight: 0.7, args: onField, toInput: toField }),
}

/** What a new field takes depends on whether it leads to another table or reads other fields. */
export const fieldSamples: SamplesIn<'fields'> = (place) => {
  const { tableId, primaryFieldId, fieldId, linkFieldId, otherTableId, otherFieldId } = place
  const inTable = (more: object = {}): Sample => ({ input: { tableId, ...more } })
  const lookupOptions = { foreignTableId: otherTableId, linkFieldId, lookupFieldId: otherFieldId }
  const definitions: readonly (readonly [string, object])[] = [
    ['text', { type: 'singleLineText' }],
    ['link', { type: 'link', options: { relationship: 'oneMany', foreignTableId: otherTableId } }],
    ['lookup', { type: 'singleLineText', isLookup: true, lookupOptions }],
    ['rollup', { type: 'rollup', lookupOptions }],
    ['formula', { type: 'formula', options: { expression: `{${primaryFieldId}} & "!"` } }],
  ]
  const made = definitions.map(([about, definition]) => ({ about, ...inTable(definition) }))
  const changed = definitions.map(([about, definition]) => ({
    about,
    ...inTable({ fieldId, ...definition }),
  }))
  return {
    createField: made,
    listFields: inTable(),
    getDeleteReferences: inTable({ fieldIds: [fieldId] }),
    getField: inTable({ fieldId }),
    listFieldFilterRecords: inTable({ fieldId }),
    updateField: inTable({ fieldId, name: 'Renamed' }),
    convertField: changed,
    duplicateField: inTable({ fieldId }),
    deleteField: inTable({ fieldId }),
    deleteFields: inTable({ fieldIds: [fieldId] }),
    planCreation: made,
    planConversion: changed,
    planDeletion: inTable({ fieldId }),
  }
}
