import { toCanonicalJson } from '../../../bases/canonical-form.ts'
import { type FieldPlace, readersOf } from '../../../schemas/readers-of.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Field } from '../../field.ts'
import { valueTypeOf } from '../../field-values.ts'
import { linkCapabilityOf } from '../../link-of.ts'

/**
 * How far a new definition of a field reaches, as long as no cell of it changes by itself: to no cell; to
 * the titles of links that show its cells; to all that follows from it; or to its values as well, where
 * they are computed.
 */
export type Reach = 'nothing' | 'titles' | 'followers' | 'values'

/** Members of a field that no cell follows from. */
const namesAndRules = {
  name: '',
  description: null,
  dbFieldName: '',
  columnName: null,
  unique: false,
  notNull: false,
  aiConfig: null,
} satisfies Partial<Field>

/**
 * Options that no cell follows from. Choices are among them: where they change cells, those cells are
 * found changed.
 */
const optionsBeside = {
  defaultValue: undefined,
  showAs: undefined,
  choices: undefined,
  preventAutoNewOptions: undefined,
}

/** How far it reaches that the one field becomes the other; pure. */
export function reachOf(before: Field, after: Field): Reach {
  const isSame = (beside: object) => coreOf(before, beside) === coreOf(after, beside)
  if (isSame(optionsBeside)) return 'nothing'
  if (!isSame({ ...optionsBeside, formatting: undefined })) return 'values'
  // Texts have numbers plainly, but moments as their field shows them.
  return valueTypeOf(after).cellValueType === 'number' ? 'titles' : 'followers'
}

function coreOf(field: Field, beside: object): string {
  return toCanonicalJson({
    ...field,
    ...namesAndRules,
    options: { ...(field.options as object), ...beside },
  })
}

/**
 * The links, by table, whose titles are the cells of the field as they are shown: of the field itself, or
 * of lookups of it, which show them in the same way.
 */
export async function linksTitledBy(
  graph: SchemaGraph,
  place: FieldPlace,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const links = new Map<string, Set<string>>()
  const seen = new Set<string>([place.fieldId])
  const queue = [place]
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const { field } of await readersOf(graph, next)) {
      if (seen.has(field.id)) continue
      seen.add(field.id)
      const { tableId, id: fieldId } = field
      if (field.isLookup) queue.push({ tableId, fieldId })
      else if (linkCapabilityOf(field)) {
        links.set(tableId, (links.get(tableId) ?? new Set()).add(fieldId))
      }
    }
  }
  return links
}
