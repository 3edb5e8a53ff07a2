import { requireFileRoom, type UsageContext } from '../../billing/require-room.ts'
import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'
import type { Base } from '../base.ts'

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
  const size = { records: limits.recordsPerCalculation, bytes: limits.bytesPerCalculation }
  for (const table of tables) {
    let after = 0
    for (;;) {
      const range = await tx.recordSizes.nextRange(table, { ...size, after, withDeleted: true })
      if (!range) break
      const tokens = await tx.fileUses.tokensIn(table, range)
      // Those that have moved already aren't found again.
      const files = await tx.attachments.findAll(base.spaceId, tokens)
      const bytes = files.reduce((sum, file) => sum + file.size, 0)
      await requireFileRoom(context, spaceId, bytes)
      await tx.attachments.moveTo(
        spaceId,
        files.map(({ token }) => token),
      )
      if (range.isLast) break
      after = range.until
      await tx.giveWay()
    }
  }
}
