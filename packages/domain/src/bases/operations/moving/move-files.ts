import { requireFileRoom, type UsageContext } from '../../../billing/require-room.ts'
import { recordRanges } from '../../../records/reading/record-ranges.ts'
import type { WriteTx } from '../../../store.ts'
import type { Base } from '../../base.ts'

/**
 * Has the files that cells of the base name, those of deleted records and fields too, belong to another space. Cells of
 * other bases that name the same files keep them. Throws `payment_required` where the level of the space has no room
 * for them.
 */
export async function moveFiles(
  context: UsageContext & { readonly tx: WriteTx },
  base: Base,
  spaceId: string,
): Promise<void> {
  const { tx } = context
  const tables = await tx.fileUses.tablesIn(base.id)
  // Their records are passed over.
  if (tables.length > 0) tx.becomeLong()
  for (const table of tables) {
    for await (const range of recordRanges(tx, table)) {
      const tokens = await tx.fileUses.tokensIn(table, range)
      // Those that have moved already aren't found again.
      const files = await tx.attachments.findAll(base.spaceId, tokens)
      const bytes = files.reduce((sum, file) => sum + file.size, 0)
      await requireFileRoom(context, spaceId, bytes)
      await tx.attachments.moveTo(
        spaceId,
        files.map(({ token }) => token),
      )
    }
  }
}
