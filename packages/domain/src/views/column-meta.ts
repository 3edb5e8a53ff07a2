import { z } from 'zod'
import { DomainError, type Issue, invalid } from '../errors.ts'
import { typeOf } from '../fields/field-values.ts'
import { parseInput } from '../input/parse-input.ts'
import { limits } from '../limits.ts'
import { type StatisticName, statisticNames, statisticsOf } from '../queries/statistics.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { sentObject } from '../values/sent-object.ts'
import { mergeSettings } from './merge-settings.ts'
import type { ViewType } from './view-type.ts'

/** What a view notes about a field. */
interface ColumnMeta {
  /** Its place among the columns, smaller ones first. */
  readonly order?: number | undefined
  /** In pixels. */
  readonly width?: number | undefined
  readonly hidden?: boolean | undefined
  readonly visible?: boolean | undefined
  /** Whether a form is sent only with a value for it. */
  readonly required?: boolean | undefined
  readonly statisticFunc?: StatisticName | undefined
}

/** What a view notes about fields, by their ids. */
export type ColumnMetas = Readonly<Record<string, ColumnMeta>>

/** A view, as far as fields are shown by it. */
interface Columns {
  readonly type: ViewType
  readonly columnMeta: ColumnMetas
}

const members = {
  order: z.number().describe('Its place among the fields'),
  width: z.number().min(1).max(limits.columnWidth).describe('Pixels that its column is wide'),
  hidden: z.boolean().describe('Whether it is hidden, in a grid or a plugin'),
  visible: z.boolean().describe('Whether it is shown, in all other kinds of views'),
  required: z.boolean().describe('Whether a form needs a value for it'),
  statisticFunc: z.enum(statisticNames).describe('What is told of its cells below the column'),
}

const { order } = members

/** What a view notes about a field, as it is answered. */
export const columnOutput = z
  .object({ ...z.object(members).partial().shape, order })
  .meta({ id: 'ViewColumn' })

/** What can be set of a field, by the kind of view; null takes a setting away. */
const inputByType: Readonly<Record<ViewType, z.ZodType<Settings>>> = {
  grid: settable('order', 'width', 'hidden', 'statisticFunc'),
  kanban: settable('order', 'visible'),
  gallery: settable('order', 'visible'),
  calendar: settable('order', 'visible'),
  form: settable('order', 'visible', 'required'),
  plugin: settable('order', 'hidden'),
}

type Settings = { readonly [Member in keyof ColumnMeta]?: ColumnMeta[Member] | null }

function settable(...names: readonly (keyof typeof members)[]) {
  return z.strictObject(
    Object.fromEntries(names.map((name) => [name, members[name].nullable().optional()])),
  )
}

/** What a view of a kind notes about fields: nothing is asked of these. */
export function storedColumnsOf(type: ViewType) {
  return z.record(z.string(), inputByType[type])
}

/** What a caller sets of a field in a view, before the kind of view is known. */
export const columnInput = sentObject(limits.fieldOptions).describe(
  'What to set: what is left out stays, null is taken away',
)

/** A change of what a view notes about a field. */
interface ColumnChange {
  readonly fieldId: string
  /** See `columnInput`. */
  readonly settings: unknown
  /** Where the input names the field, and what is set of it. */
  readonly paths: { readonly fieldId: Issue['path']; readonly settings: Issue['path'] }
}

/**
 * What the view notes once it is changed. Throws validation_error with all that doesn't fit: fields there are not,
 * members that this kind of view has not; and restricted_resource where the primary field would be hidden.
 */
export function changeColumns(
  { type, columnMeta }: Columns,
  changes: readonly ColumnChange[],
  schema: TableSchema,
): ColumnMetas {
  const issues: Issue[] = []
  let hidesPrimary = false
  const changed: Record<string, ColumnMeta> = { ...columnMeta }
  if (changes.some(({ settings }) => (settings as Settings | null)?.order !== undefined)) {
    // The others keep the places that they show, those in the trash what is noted of them.
    const ids = schema.fields.map(({ field }) => field.id)
    Object.assign(changed, placesOf({ columnMeta }, ids))
  }
  for (const { fieldId, settings, paths } of changes) {
    const schemaField = schema.byKey.id.get(fieldId)
    if (!schemaField) {
      issues.push({ path: paths.fieldId, message: 'must be the id of a field of the table' })
      continue
    }
    const parsed = parseInput(inputByType[type], settings)
    if ('issues' in parsed) {
      for (const { path, message } of parsed.issues) {
        issues.push({ path: [...paths.settings, ...path], message })
      }
      continue
    }
    if (schemaField.field.isPrimary && hides(type, parsed.data)) hidesPrimary = true
    const { statisticFunc } = parsed.data
    const known = statisticFunc ? statisticsOf(schemaField.rules.form) : []
    if (statisticFunc && !known.includes(statisticFunc)) {
      const path = [...paths.settings, 'statisticFunc']
      issues.push({ path, message: `must be one that the field has: ${known.join(', ')}` })
    }
    changed[fieldId] = mergeSettings(changed[fieldId] ?? {}, parsed.data)
  }
  if (issues.length > 0) throw invalid(issues.slice(0, limits.issuesNamed))
  if (hidesPrimary) {
    throw new DomainError(
      'restricted_resource',
      `The primary field is always shown in a view of the type "${type}": it can't be hidden`,
    )
  }
  return changed
}

/** Whether the settings would hide the primary field, in a view that shows it whatever is set. */
function hides(type: ViewType, { hidden, visible }: Settings): boolean {
  return hidden === true || (visible === false && (type === 'kanban' || type === 'gallery'))
}

/** What a new view notes before anybody sets anything: a form asks for all that people can fill in. */
export function firstColumns(type: ViewType, schema: TableSchema): ColumnMetas {
  const isVisible = ({ field, isWritable }: SchemaField) =>
    type === 'form'
      ? isWritable && !typeOf(field).isPressed
      : showsChosenFields(type) && field.isPrimary
  return Object.fromEntries(
    schema.fields.filter(isVisible).map(({ field }) => [field.id, { visible: true }]),
  )
}

/** Whether this kind of view shows the fields that are chosen, and no others. */
function showsChosenFields(type: ViewType): boolean {
  return type !== 'grid' && type !== 'plugin'
}

/**
 * Whether the view shows the field. A grid shows all but those that it hides; other kinds show those that are
 * chosen, and what their options name. Only a form may do without the primary field.
 */
export function isShown(
  { type, columnMeta, options }: Columns & { readonly options: object },
  { field }: SchemaField,
): boolean {
  const { hidden = false, visible = false } = columnMeta[field.id] ?? {}
  if (type === 'form') return visible
  if (!showsChosenFields(type)) return field.isPrimary || !hidden
  return field.isPrimary || visible || namedIn(options).includes(field.id)
}

/** What options name that may be fields. */
function namedIn(options: { readonly colorConfig?: unknown }): readonly unknown[] {
  const colors = options.colorConfig as
    | { readonly type: string; readonly fieldId?: unknown }
    | undefined
  return [...Object.values(options), ...(colors?.type === 'field' ? [colors.fieldId] : [])]
}

/** The fields that the view shows, in no order, as a caller names them. */
export function shownKeys(
  view: Columns & { readonly options: object },
  { fields }: Pick<TableSchema, 'fields'>,
  fieldKeyType: FieldKeyType,
): readonly string[] {
  return fields.filter((field) => isShown(view, field)).map(({ field }) => field[fieldKeyType])
}

/** The fields in the order of the view. */
export function fieldsInOrder(
  view: Pick<Columns, 'columnMeta'>,
  fields: readonly SchemaField[],
): readonly SchemaField[] {
  const ids = fields.map(({ field }) => field.id)
  const places = placesOf(view, ids)
  const placeOf = ({ field }: SchemaField) => places[field.id]?.order ?? 0
  return fields.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** What the view notes of each of the fields: those without a place stand last, in the order given. */
export function placesOf(
  { columnMeta }: Pick<Columns, 'columnMeta'>,
  fieldIds: readonly string[],
): Readonly<Record<string, ColumnMeta & { readonly order: number }>> {
  const orders = fieldIds.flatMap((id) => columnMeta[id]?.order ?? [])
  let next = Math.floor(orders.reduce((most, one) => Math.max(most, one), -1)) + 1
  return Object.fromEntries(
    fieldIds.map((id) => {
      const { order = next++, ...rest } = columnMeta[id] ?? {}
      return [id, { order, ...rest }]
    }),
  )
}

/**
 * What the view notes of each of the fields, and of one that is put right after one of them. Where no number is left between that
 * and the next, all get others, in which they stand as they did.
 */
export function placesWith(
  view: Pick<Columns, 'columnMeta'>,
  fieldIds: readonly string[],
  { id, afterId }: { readonly id: string; readonly afterId: string },
): ColumnMetas {
  const places = placesOf(view, fieldIds)
  const orderOf = (fieldId: string) => places[fieldId]?.order ?? -1
  const anchor = orderOf(afterId)
  const next = Math.min(...fieldIds.map(orderOf).filter((order) => order > anchor))
  // Halved before they are added: the sum of two large numbers is none.
  const order = Number.isFinite(next) ? anchor / 2 + next / 2 : anchor + 1
  if (order > anchor && order < next) return { ...places, [id]: { order } }
  const inOrder = fieldIds.toSorted((a, b) => orderOf(a) - orderOf(b))
  inOrder.splice(inOrder.indexOf(afterId) + 1, 0, id)
  return Object.fromEntries(
    inOrder.map((fieldId, place) => [fieldId, { ...places[fieldId], order: place }]),
  )
}
