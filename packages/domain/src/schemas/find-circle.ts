import type { Field } from '../fields/field.ts'
import { referencesOf } from '../fields/field-values.ts'
import { fieldIdsReadThroughLink, foreignTableIdOf } from '../fields/link-of.ts'

/** Gives a field of a table as it is by now, undefined when either is gone. */
type FindField = (tableId: string, fieldId: string) => Promise<Field | undefined>

/**
 * The fields through which a field would follow from itself, in order, beginning and ending with it;
 * undefined when it wouldn't. The field is as it is to be, all others are as they are.
 *
 * `free` holds the ids of fields that were found to follow from themselves by no way, with all that they
 * follow from, and grows: who asks for many fields hands it on, so that each field is looked at once. When
 * one of its fields becomes one that reads others, it is to be asked for that field again.
 */
export async function findCircle(
  find: FindField,
  field: Field,
  free: Set<string> = new Set(),
): Promise<readonly Field[] | undefined> {
  const cameFrom = new Map<string, Field>()
  const queue: Field[] = [field]
  // What is free is so by what its fields read then: no word on one of them that reads others now.
  const passed = free.has(field.id) ? new Set<string>() : free
  for (const next of queue) {
    for (const source of await sourcesOf(find, next)) {
      if (source.id === field.id) return trail(field, next, cameFrom)
      if (cameFrom.has(source.id) || passed.has(source.id)) continue
      cameFrom.set(source.id, next)
      queue.push(source)
    }
  }
  for (const { id } of queue) free.add(id)
  return undefined
}

/** The fields whose cells the field's cells follow from, directly. */
async function sourcesOf(find: FindField, field: Field): Promise<readonly Field[]> {
  const sources = referencesOf(field).map((id) => [field.tableId, id] as const)
  const foreignTableId = foreignTableIdOf(field)
  if (foreignTableId !== undefined) {
    for (const id of fieldIdsReadThroughLink(field)) sources.push([foreignTableId, id])
  }
  const found: Field[] = []
  // One after another: when one fails, none may still be under way after the transaction has ended.
  for (const [tableId, fieldId] of sources) {
    const source = await find(tableId, fieldId)
    if (source) found.push(source)
  }
  return found
}

function trail(field: Field, last: Field, cameFrom: ReadonlyMap<string, Field>): readonly Field[] {
  const path = [field]
  for (let next: Field | undefined = last; next && next.id !== field.id; ) {
    path.unshift(next)
    next = cameFrom.get(next.id)
  }
  return [field, ...path]
}
