import type { Field } from '../../fields/field.ts'
import { isConverting } from '../../fields/field-values.ts'
import { reversed } from '../../fields/link-end.ts'
import { linkCapabilityOf, symmetricOf } from '../../fields/link-of.ts'
import type { TrashEntry } from '../../trash/trash-entry.ts'
import type { TableToWrite } from './read-table.ts'

/** A field, and what has become of it and of its table. */
interface FieldInArchive {
  readonly field: Field
  readonly deletion: string | undefined
  readonly isTableDeleted: boolean
}

/**
 * The fields of tables that an archive doesn't have, by id: such as can't come back from the trash, because no entry brings
 * them, or because the field at the other end of their link is gone, or shows another link by now. Those whose other end is
 * in no table of the archive are texts there.
 */
export function leftBehind(
  tables: readonly TableToWrite[],
  entries: ReadonlyMap<string, TrashEntry>,
): ReadonlySet<string> {
  const known = new Map<string, FieldInArchive>()
  const tableIds = new Set(tables.map(({ table }) => table.id))
  for (const { schema, deletions, deletion } of tables) {
    const isTableDeleted = deletion !== undefined
    for (const { field } of schema.fields) {
      known.set(field.id, { field, deletion: deletions.get(field.id), isTableDeleted })
    }
  }
  const isListed = (one: FieldInArchive) => {
    if (one.deletion === undefined) return true
    const entry = entries.get(one.deletion)
    if (entry?.resourceType !== 'field' || !tableIds.has(entry.placeId)) return false
    if (isConverting(one.field)) return false
    const { resourceIds } = entry
    const endId = symmetricOf(one.field)?.fieldId
    return resourceIds.includes(one.field.id) || resourceIds.includes(endId ?? '')
  }
  const left = new Set<string>()
  for (const [id, one] of known) {
    const isLiving = one.deletion === undefined && !one.isTableDeleted
    if (isLiving || (isListed(one) && hasItsOtherEnd(one, { known, tableIds, isListed }))) continue
    left.add(id)
  }
  return left
}

function hasItsOtherEnd(
  one: FieldInArchive,
  {
    known,
    tableIds,
    isListed,
  }: {
    readonly known: ReadonlyMap<string, FieldInArchive>
    readonly tableIds: ReadonlySet<string>
    isListed(one: FieldInArchive): boolean
  },
): boolean {
  const end = symmetricOf(one.field)
  if (!end || !tableIds.has(end.tableId)) return true
  const other = known.get(end.fieldId)
  if (!other || other.field.tableId !== end.tableId || !isListed(other)) return false
  const [own, there] = [one, other].map(({ field }) =>
    linkCapabilityOf(field)?.endOf(field.options),
  )
  const isOne =
    symmetricOf(other.field)?.fieldId === one.field.id &&
    own?.ownerFieldId === there?.ownerFieldId &&
    own?.isOwner !== there?.isOwner &&
    own?.relationship === (there && reversed(there.relationship))
  if (!isOne) return false
  if (one.deletion === other.deletion) return true
  // One of them was deleted while the table of the other lay in the trash.
  const isOneLiving = one.deletion === undefined || other.deletion === undefined
  return isOneLiving && (one.isTableDeleted || other.isTableDeleted)
}
