import type { Choice, SelectOptions } from '../../../cells/choice.ts'
import type { Field } from '../../../field.ts'
import { typeOf } from '../../../field-values.ts'

/**
 * What becomes of the names in cells when the choices of a select change, by old name: the new name of a
 * choice that was renamed, null for one that is gone. Choices are told apart by id. A name that means
 * the same as before, or that another choice has now, is not in it. Names may be swapped.
 */
export function choiceEdits(
  stored: SelectOptions,
  next: SelectOptions,
): ReadonlyMap<string, string | null> {
  const nextNames = new Set(next.choices.map(({ name }) => name))
  const nameById = new Map(next.choices.map(({ id, name }) => [id, name]))
  const edits = new Map<string, string | null>()
  for (const { id, name } of stored.choices) {
    const nextName = id === undefined ? undefined : nameById.get(id)
    if (nextName !== undefined && nextName !== name) edits.set(name, nextName)
    if (nextName === undefined && !nextNames.has(name)) edits.set(name, null)
  }
  return edits
}

/** Whether values become choices when a field is converted: everybody sees them then who may read the field. */
export function makesChoicesOfCells(before: Field, after: Field): boolean {
  return isSelect(after) && !isSelect(before)
}

function isSelect(field: Field): boolean {
  return !field.isLookup && typeOf(field).choices !== undefined
}

/** The new names of choices that were renamed, by their old ones; none unless the field was and is a select. */
export function renamedChoices(before: Field, after: Field): ReadonlyMap<string, string> {
  if (!isSelect(before) || !isSelect(after)) return new Map()
  const edits = choiceEdits(before.options as SelectOptions, after.options as SelectOptions)
  return new Map([...edits].flatMap(([name, next]) => (next === null ? [] : [[name, next]])))
}

/**
 * The options that a caller sent, with the id and colour that a choice of the same name had, as far as
 * the caller named none. An id that another of the sent choices has is that one's.
 */
export function keepChoiceIds<Options extends SelectOptions>(
  stored: SelectOptions,
  sent: Options,
): Options {
  const storedByName = new Map(stored.choices.map((choice) => [choice.name, choice]))
  const storedById = new Map(stored.choices.map((choice) => [choice.id, choice]))
  const sentIds = new Set(sent.choices.map(({ id }) => id))
  const choices = sent.choices.map((choice): Choice => {
    const isNamed = choice.id === undefined
    const known = isNamed ? storedByName.get(choice.name) : storedById.get(choice.id)
    if (!known || (isNamed && sentIds.has(known.id))) return choice
    return { ...known, ...choice, id: known.id, color: choice.color ?? known.color }
  })
  return { ...sent, choices }
}
