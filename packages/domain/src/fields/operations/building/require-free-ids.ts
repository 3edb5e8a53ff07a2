import { DomainError } from '../../../errors.ts'
import type { ReadTx } from '../../../store.ts'
import type { DefinitionPath } from '../definition/build-fields.ts'
import type { CheckedDefinition } from '../definition/field-definition.ts'

/**
 * Throws `conflict`, with its place, for an id that a caller has chosen and that a field has or had, or that another
 * of the definitions has, with letters in whatever case. Two callers at one time are told apart by the storage alone, which names no place.
 */
export async function requireFreeIds(
  tx: Pick<ReadTx, 'fields'>,
  checked: readonly CheckedDefinition[],
  pathOf: DefinitionPath,
): Promise<void> {
  const ids = checked.map(({ definition }) => definition.id)
  const chosen = ids.filter((id) => id !== undefined)
  if (chosen.length === 0) return
  const taken = new Set(await tx.fields.takenIds(chosen))
  for (const [index, id] of ids.entries()) {
    if (id === undefined) continue
    if (taken.has(id.toLowerCase())) {
      const message = `the id "${id}" is used by a field, or was by a deleted one: leave the id out, or choose another one`
      throw new DomainError('conflict', message, {
        issues: [{ path: pathOf(index, 'id'), message }],
      })
    }
    taken.add(id.toLowerCase())
  }
}
