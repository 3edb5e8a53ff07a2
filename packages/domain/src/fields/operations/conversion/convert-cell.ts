import type { CellValueType } from '../../../values/value-type.ts'
import type { CastContext, Cell, LinkTargets, People } from '../../cell.ts'
import { splitNames } from '../../cells/name-list.ts'
import type { FieldShape } from '../../field.ts'
import { isComputed, rulesOf, typeOf, valueTypeOf } from '../../field-values.ts'

/** Makes a cell of one field one of another; null where the value has no reading there. */
type CellConverter = (cell: Cell, context: CastContext) => Cell | null

/**
 * How cells of a field become cells of another: the thing itself where both fields hold such things,
 * else what the text of the cell is read as. Made once for a conversion; pure. A field that names
 * choices may get a cell with some that it lacks; `withoutMissingChoices` takes out what isn't added.
 */
export function cellConverter(from: { readonly field: FieldShape }, to: FieldShape): CellConverter {
  const { field } = from
  if (isComputed(to) || isNeverRead(field, to)) return () => null
  if (isSameLink(field, to) || isOfUsers(field, to)) return throughJson(field, to, trusting)
  if (hasChoices(field) && hasChoices(to)) return choicesConverter(to)
  if (isListOfSingles(field)) return listConverter(field, to)
  if (field.type === to.type) return throughJson(field, to)
  return isReadAsItIs(kindOf(field), kindOf(to)) ? rulesOf(to).cast : throughText(field, to)
}

/** The cell as the field can hold it: without the choices that the field doesn't have, null when none is left. */
export function withoutMissingChoices(field: FieldShape, cell: Cell): Cell | null {
  const missing = new Set<unknown>(typeOf(field).choices?.missing(field.options, cell))
  if (missing.size === 0) return cell
  const kept = [cell].flat().filter((name) => !missing.has(name))
  return kept.length > 0 ? kept : null
}

/** What a stored cell names is there: reading it again needn't ask. */
const everybody: People = { name: (id) => id, find: () => undefined }
const everyRecord: LinkTargets = { has: () => true, find: () => undefined }
const trusting: CastContext = { people: everybody, targets: everyRecord }

function kindOf(field: FieldShape): CellValueType {
  return valueTypeOf(field).cellValueType
}

/** Numbers that look like years are no moments, nor are years numbers. */
function isNeverRead(field: FieldShape, to: FieldShape): boolean {
  const kinds = [kindOf(field), kindOf(to)]
  return kinds.includes('dateTime') && kinds.includes('number')
}

/** Whether values of the one kind are read as the other without being shown first. */
function isReadAsItIs(from: CellValueType, to: CellValueType): boolean {
  if (from === to) return from !== 'string'
  return from !== 'string' && (to === 'number' || to === 'boolean')
}

function isSameLink(field: FieldShape, to: FieldShape): boolean {
  const tableId = linkedTableId(field)
  return tableId !== undefined && tableId === linkedTableId(to)
}

function linkedTableId(field: FieldShape): string | undefined {
  return typeOf(field).link?.targetOf(field.options).foreignTableId
}

function isOfUsers(...fields: readonly FieldShape[]): boolean {
  return fields.every((field) => rulesOf(field).userIds !== undefined)
}

function hasChoices(field: FieldShape): boolean {
  return typeOf(field).choices !== undefined
}

/** Each choice keeps its name; a field with one choice takes the first. */
function choicesConverter(to: FieldShape): CellConverter {
  const { cast } = rulesOf(to)
  const { isMultiple } = valueTypeOf(to)
  return (cell, context) => {
    const names = [cell].flat()
    return cast(isMultiple ? names : names[0], context)
  }
}

/** Whether the cells are computed lists of what the type itself holds one of. */
function isListOfSingles(field: FieldShape): boolean {
  const isListItself = typeOf(field).isMultiple?.(field.options) ?? false
  return valueTypeOf(field).isMultiple && !isListItself
}

/** A list with one item is that item, where the other field has no use for a list. */
function listConverter(field: FieldShape, to: FieldShape): CellConverter {
  const convertList = throughText(field, to)
  if (!field.result || isText(to) || valueTypeOf(to).isMultiple) return convertList
  const item = { ...field, result: { ...field.result, isMultiple: false } }
  const convertItem = cellConverter({ field: item }, to)
  return (cell, context) => {
    const [only = null, ...others] = cell as readonly (Cell | null)[]
    if (others.length > 0) return convertList(cell, context)
    return only === null ? null : convertItem(only, context)
  }
}

function throughJson(field: FieldShape, to: FieldShape, known?: CastContext): CellConverter {
  const { toJson } = rulesOf(field)
  const { cast } = rulesOf(to)
  return (cell, context) => cast(toJson ? toJson(cell, context.people) : cell, known ?? context)
}

/** What is shown of the cell. Lists are split again, and text; any other thing is one, commas and all. */
function throughText(field: FieldShape, to: FieldShape): CellConverter {
  const { format } = rulesOf(field)
  const { cast } = rulesOf(to)
  const isList = valueTypeOf(field).isMultiple
  const isListWanted = valueTypeOf(to).isMultiple
  const isOneThing = !isList && !isText(field) && isListWanted
  const isItemWanted = isList && !isText(to) && !isListWanted
  return (cell, context) => {
    const text = format(cell, context.people)
    if (isOneThing) return cast([text], context)
    return cast(isItemWanted ? withoutQuotes(text) : text, context)
  }
}

/** Whether the cells are text that means nothing but itself. */
function isText(field: FieldShape): boolean {
  const { cellValueType, isMultiple } = valueTypeOf(field)
  const isThing = hasChoices(field) || isOfUsers(field) || typeOf(field).link !== undefined
  return cellValueType === 'string' && !isMultiple && !isThing
}

/** The name in the text of a list with one name. */
function withoutQuotes(text: string): string {
  const [only, ...others] = splitNames(text)
  return only === undefined || others.length > 0 ? text : only
}
