import type { Choice } from '../fields/cells/choice.ts'
import type { Field } from '../fields/field.ts'
import type { NamedChoice } from '../undo/undo-step.ts'
import { changeEach, type ValueOfField } from './filter-values.ts'
import type { TableSchema } from './table-schema.ts'

/** The choices that values of fields name, as they are called now, each once. */
export function choicesNamedBy(
  values: Iterable<ValueOfField>,
  { byKey }: TableSchema,
): readonly NamedChoice[] {
  const ids = new Map<string, ReadonlyMap<unknown, string>>()
  const found = new Map<string, NamedChoice>()
  for (const [fieldId, value] of values) {
    const ofField = ids.get(fieldId) ?? idsByName(byKey.id.get(fieldId)?.field)
    ids.set(fieldId, ofField)
    if (ofField.size === 0) continue
    for (const name of [value].flat()) {
      const id = ofField.get(name)
      if (id !== undefined) found.set(`${fieldId} ${id}`, [fieldId, name as string, id])
    }
  }
  return [...found.values()]
}

/** Gives values of fields the names that choices have by now, of those as they were called then; one that is gone keeps its name. */
export function toNamesOfToday(
  choices: readonly NamedChoice[],
  { byKey }: TableSchema,
): (fieldId: string, value: unknown) => unknown {
  const names = new Map<string, Map<unknown, string>>()
  const todayById = new Map<string, ReadonlyMap<string, string>>()
  for (const [fieldId, name, choiceId] of choices) {
    const today = todayById.get(fieldId) ?? namesById(byKey.id.get(fieldId)?.field)
    todayById.set(fieldId, today)
    const ofField = names.get(fieldId) ?? new Map<unknown, string>()
    names.set(fieldId, ofField.set(name, today.get(choiceId) ?? name))
  }
  return (fieldId, value) => {
    const ofField = names.get(fieldId)
    if (!ofField) return value
    return changeEach(value, (name) => ofField.get(name) ?? name)
  }
}

/** Gives values of fields the ids of the choices that they name, which stay when these get other names. */
export function toChoiceIds({ byKey }: TableSchema): (fieldId: string, value: unknown) => unknown {
  const known = new Map<string, ReadonlyMap<unknown, string>>()
  return (fieldId, value) => {
    const ids = known.get(fieldId) ?? idsByName(byKey.id.get(fieldId)?.field)
    known.set(fieldId, ids)
    return ids.size === 0 ? value : changeEach(value, (name) => ids.get(name) ?? name)
  }
}

function idsByName(field: Field | undefined): ReadonlyMap<unknown, string> {
  return new Map([...namesById(field)].map(([id, name]) => [name, id]))
}

function namesById(field: Field | undefined): ReadonlyMap<string, string> {
  const { choices = [] } = (field?.options ?? {}) as { readonly choices?: readonly Choice[] }
  return new Map(choices.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])))
}
