import type { SchemaGraph } from '../../calculations/schema-graph.ts'
import { foreignTableIdOf, linkAbilityOf } from '../../links/make-links.ts'
import type { Field } from '../field.ts'
import { referencesOf } from '../field-values.ts'

/**
 * The fields through which a field would follow from itself, in order, beginning and ending with it;
 * undefined when it wouldn't. The field is as it is to be, all others are as they are.
 */
export async function findCircle(
  graph: SchemaGraph,
  field: Field,
): Promise<readonly Field[] | undefined> {
  const cameFrom = new Map<string, Field>()
  const queue: Field[] = [field]
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const source of await sourcesOf(graph, next)) {
      if (source.id === field.id) return trail(field, next, cameFrom)
      if (cameFrom.has(source.id)) continue
      cameFrom.set(source.id, next)
      queue.push(source)
    }
  }
  return undefined
}

/** The fields whose cells the field's cells follow from, directly. */
async function sourcesOf(graph: SchemaGraph, field: Field): Promise<readonly Field[]> {
  const sources = referencesOf(field).map((id) => [field.tableId, id] as const)
  const foreignTableId = foreignTableIdOf(field)
  const ability = linkAbilityOf(field)
  const throughId = ability
    ? ability.titleFieldId(field.options)
    : field.lookupOptions?.lookupFieldId
  if (foreignTableId !== undefined && throughId !== undefined) {
    sources.push([foreignTableId, throughId])
  }
  const found: Field[] = []
  // One after another: when one fails, none may still be under way after the transaction has ended.
  for (const [tableId, fieldId] of sources) {
    const source = await graph.findField(tableId, fieldId)
    if (source) found.push(source.field)
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
