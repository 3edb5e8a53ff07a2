import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import { type Issue, invalid } from '../errors.ts'
import type { CellForm } from '../fields/cell-form.ts'
import {
  type Filter,
  type FilterItem,
  isFieldReference,
  operatorSymbols,
} from '../fields/filter.ts'
import { type FilterOperator, operatorsOf, takesList } from '../fields/filter-operators.ts'
import { parseInput } from '../input/parse-input.ts'
import { limits } from '../limits.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { storableTextUpTo, textUpTo } from '../values/storable-text.ts'
import { foldCase } from '../values/text.ts'
import { toComparison } from './compare-fields.ts'
import {
  always,
  type Bound,
  type Condition,
  type ItemTest,
  isTrue,
  never,
  not,
  type Scalar,
} from './condition.ts'
import {
  afterEnd,
  type DateValue,
  type DateWindow,
  type DateWindows,
  dateSpanSchema,
  dateValueSchema,
  dateWindows,
  fixedModes,
  isFixedDate,
  type LaterWindow,
  throughEnd,
} from './date-window.ts'

/** What a filter is read by. */
export interface FilterContext {
  readonly schema: Pick<TableSchema, 'byKey'>
  readonly fieldKeyType: FieldKeyType
  /** The user for whom `Me` stands. */
  readonly userId: string
  /** The time that decides which day is today. */
  readonly now: Timestamp
  /**
   * Whether the filter must match the same records for every user and on every day: then it can name neither `Me` nor
   * today.
   */
  readonly isFixed?: boolean
  /** Whether an item that doesn't fit matches no record, so that nobody is shown more because a field was deleted. */
  readonly failsClosed?: boolean
}

/**
 * What the filter of a request asks. Throws validation_error with all that doesn't fit: fields that there are not,
 * operators that their cells don't take, values of the wrong kind; the path begins where it is said.
 */
export function toCondition(
  filter: Filter,
  context: FilterContext,
  path: readonly (string | number)[] = ['filter'],
): Condition {
  const issues: Issue[] = []
  const condition = conditionOf(filter, context, path, issues)
  if (issues.length > 0) throw invalid(issues)
  return condition
}

/** What doesn't fit of a filter, the places within it; none where all of it does. */
export function misfitsOf(filter: Filter, context: FilterContext): readonly Issue[] {
  const issues: Issue[] = []
  conditionOf(filter, context, [], issues)
  return issues
}

/**
 * What a stored filter asks now: items whose field is gone, or doesn't take them any more, ask nothing; where the
 * context fails closed, they hold for no record.
 */
export function toStoredCondition(filter: Filter, context: FilterContext): Condition {
  return conditionOf(filter, context, [], [])
}

/** The field that a caller names by the kind of key, or by its id. */
export function findField(
  key: string,
  { schema, fieldKeyType }: Pick<FilterContext, 'schema' | 'fieldKeyType'>,
): SchemaField | undefined {
  return schema.byKey[fieldKeyType].get(key) ?? schema.byKey.id.get(key)
}

type Path = readonly (string | number)[]

function conditionOf(
  filter: Filter,
  context: FilterContext,
  path: Path,
  issues: Issue[],
): Condition {
  const conditions = filter.filterSet.flatMap((item, index) => {
    const itemPath = [...path, 'filterSet', index]
    if ('filterSet' in item) {
      const inner = conditionOf(item, context, itemPath, issues)
      return inner === always ? [] : inner
    }
    const known = issues.length
    const condition = itemCondition(item, context, itemPath, issues)
    return context.failsClosed && issues.length > known ? never : (condition ?? [])
  })
  const [only] = conditions
  if (!only) return always
  if (conditions.length === 1) return only
  return { kind: filter.conjunction === 'and' ? 'all' : 'any', conditions }
}

/** By what a caller names a field where `findField` finds it, for people. */
const keyNames = { name: 'name or id', dbFieldName: 'column name or id', id: 'id' } as const

/** What is said of a key that names no field. */
export function noField({
  schema,
  fieldKeyType,
}: Pick<FilterContext, 'schema' | 'fieldKeyType'>): string {
  const keyType = schema.byKey.name.size > 0 ? fieldKeyType : 'id'
  return `must be the ${keyNames[keyType]} of a field of the table`
}

/** Undefined where it asks nothing. */
function itemCondition(
  item: FilterItem & { readonly isSymbol?: boolean },
  context: FilterContext,
  path: Path,
  issues: Issue[],
): Condition | undefined {
  const refuse = (member: Path, message: string): undefined => {
    issues.push({ path: [...path, ...member], message })
  }
  const field = findField(item.fieldId, context)
  if (!field) return refuse(['fieldId'], noField(context))
  const { form } = field.rules
  const known = operatorsOf(form)
  const operator = item.isSymbol ? operatorOf(item.operator, known) : item.operator
  if (operator === undefined || !known.includes(operator)) {
    return refuse(['operator'], `must be an operator that the field has: ${known.join(', ')}`)
  }
  if (operator === 'isEmpty') return { kind: 'empty', field }
  if (operator === 'isNotEmpty') return not({ kind: 'empty', field })
  const value = item.value ?? null
  if (isFieldReference(value)) return referenceCondition(field, operator, value, context, refuse)
  if (form.item.kind === 'boolean') {
    if (value !== null && typeof value !== 'boolean')
      return refuse(['value'], 'must be true, false or null')
    return value === true ? isTrue(field) : not(isTrue(field))
  }
  if (value === null) return undefined
  const parsed = parseInput(valueSchemaOf(form, operator), value)
  if ('issues' in parsed) {
    for (const issue of parsed.issues) refuse(['value', ...issue.path], issue.message)
    return undefined
  }
  const moving = context.isFixed ? movingPart(form, parsed.data) : undefined
  if (moving) return refuse(['value', ...moving.path], moving.message)
  return ofValue(field, operator, parsed.data, context)
}

const referenceSchema = z.strictObject({
  type: z.literal('field'),
  fieldId: textUpTo(limits.shortTextLength),
})

/** What compares the cells of two fields. */
function referenceCondition(
  field: SchemaField,
  operator: FilterOperator,
  value: unknown,
  context: FilterContext,
  refuse: (member: Path, message: string) => undefined,
): Condition | undefined {
  const parsed = parseInput(referenceSchema, value)
  if ('issues' in parsed) {
    for (const issue of parsed.issues) refuse(['value', ...issue.path], issue.message)
    return undefined
  }
  const other = findField(parsed.data.fieldId, context)
  if (!other) {
    return refuse(['value', 'fieldId'], noField(context))
  }
  const denied = denials[operator]
  const condition = toComparison(field, denied ?? operator, other)
  if (typeof condition === 'string') return refuse(['value', 'fieldId'], condition)
  return denied ? not(condition) : condition
}

function operatorOf(symbol: string, known: readonly FilterOperator[]): FilterOperator | undefined {
  const meant: readonly FilterOperator[] =
    operatorSymbols[symbol as keyof typeof operatorSymbols] ?? []
  return meant.find((operator) => known.includes(operator))
}

const textSchema = storableTextUpTo(limits.filterTextLength)
const textsSchema = z.array(textSchema).max(limits.filterValues)
const numberSchema = z.number()

function valueSchemaOf({ item }: CellForm, operator: FilterOperator): z.ZodType {
  if (item.kind === 'number') return numberSchema
  if (item.kind === 'date') return operator === 'isWithIn' ? dateSpanSchema : dateValueSchema
  return takesList(operator) ? textsSchema : textSchema
}

/** The operators that deny another one, and so hold for empty cells, too. */
const denials: Partial<Record<FilterOperator, FilterOperator>> = {
  isNot: 'is',
  doesNotContain: 'contains',
  isNoneOf: 'isAnyOf',
  hasNoneOf: 'hasAnyOf',
  isNotExactly: 'isExactly',
}

function ofValue(
  field: SchemaField,
  operator: FilterOperator,
  value: unknown,
  context: FilterContext,
): Condition {
  const denied = denials[operator]
  if (denied) return not(ofValue(field, denied, value, context))
  const { item } = field.rules.form
  if (operator === 'hasAllOf' || operator === 'isExactly') {
    const values = toScalars(value, item.kind, context)
    return { kind: 'every', field, values, alone: operator === 'isExactly' }
  }
  if (item.kind !== 'date') {
    return { kind: 'some', field, test: itemTest(operator, value, item.kind, context) }
  }
  const windows = dateWindows(value as DateValue, context.now, item.formatting)
  const conditions = dateTests(operator, windows).map((test): Condition => {
    return { kind: 'some', field, test }
  })
  const [only] = conditions
  return conditions.length === 1 && only ? only : { kind: 'any', conditions }
}

function itemTest(
  operator: FilterOperator,
  value: unknown,
  kind: CellForm['item']['kind'],
  context: FilterContext,
): ItemTest {
  const bound = (isOpen: boolean): Bound => ({ value: value as number, isOpen })
  switch (operator) {
    case 'contains':
      return { kind: 'contains', text: foldCase(value as string) }
    case 'isGreater':
      return { kind: 'range', from: bound(true) }
    case 'isGreaterEqual':
      return { kind: 'range', from: bound(false) }
    case 'isLess':
      return { kind: 'range', to: bound(true) }
    case 'isLessEqual':
      return { kind: 'range', to: bound(false) }
    default:
      return { kind: 'oneOf', values: toScalars(value, kind, context) }
  }
}

/** The word by which a filter names the user who calls. */
const me = 'Me'

/** What in the value of a filter item depends on the caller or on the time; undefined where nothing does. */
function movingPart({ item: { kind } }: CellForm, value: unknown): Issue | undefined {
  if (kind === 'user' && [value].flat().includes(me)) {
    const message = `must not be "${me}": this filter must give the same records to everybody`
    return { path: [], message }
  }
  if (kind !== 'date' || isFixedDate(value as DateValue)) return undefined
  const message = `must be one of ${fixedModes.join(', ')}: this filter must give the same records on every day`
  return { path: ['mode'], message }
}

function toScalars(
  value: unknown,
  kind: CellForm['item']['kind'],
  { userId }: FilterContext,
): readonly Scalar[] {
  const values = [value].flat() as Scalar[]
  return [...new Set(kind === 'user' ? values.map((id) => (id === me ? userId : id)) : values)]
}

/** Items pass one of them. */
function dateTests(operator: FilterOperator, windows: DateWindows): readonly ItemTest[] {
  const [first, ...others] = windows
  const within = (window: DateWindow): ItemTest => {
    return { kind: 'range', from: { value: window.from }, to: throughEnd(window) }
  }
  const gaps = (kind: LaterWindow['gap']) =>
    others.flatMap(({ from, gap }, index): readonly ItemTest[] => {
      const before = windows[index]
      if (gap !== kind || !before) return []
      return [{ kind: 'range', from: afterEnd(before), to: { value: from, isOpen: true } }]
    })
  const earlier: readonly ItemTest[] = [
    { kind: 'range', to: { value: first.from, isOpen: true } },
    ...gaps('before'),
  ]
  const later: readonly ItemTest[] = [
    ...gaps('after'),
    { kind: 'range', from: afterEnd(windows.at(-1) ?? first) },
  ]
  const stops = earlier.length > 1
  switch (operator) {
    case 'isBefore':
      return earlier
    case 'isOnOrAfter':
      return stops
        ? [...windows.map(within), ...later]
        : [{ kind: 'range', from: { value: first.from } }]
    case 'isOnOrBefore':
      return stops
        ? [...earlier, ...windows.map(within)]
        : [{ kind: 'range', to: throughEnd(first) }, ...others.map(within)]
    case 'isAfter':
      return later
    default:
      return windows.map(within)
  }
}
