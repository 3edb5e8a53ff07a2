import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { plansLimitedTo } from '@gateleg/testing/factories/plans-limited-to'
import { archivedRecords, archivedTable, archiveOf } from '@gateleg/testing/operations/archives'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { expect, test } from 'vitest'

const file = { token: 't', name: 'n.txt', mimetype: 'text/plain', size: 3 }
const [records, record] = archivedRecords as [object, readonly unknown[]]
const trash = { table: 'tbl0000000000000001', deletedTime: record[2], deletedBy: 'usr1' }
const another = ['rec0000000000000002', 9, ...record.slice(2)]

describeOnEveryStorage('room for archives', (storage) => {
  test.each([
    ['maxRows', { maxRows: 1 }, [records, record, another]],
    // Those in the trash count as if they lived.
    ['maxRows', { maxRows: 1 }, [records, record, { trash }, records, [0, ...another]]],
    ['maxSizeAttachments', { maxSizeAttachments: 2 }, [{ file }, 'AAAA']],
  ] as const)(
    '[ARCHIVE-11] [ARCHIVE-21] is that of the space by its level: %s',
    async (limit, most, lines) => {
      const plans = plansLimitedTo(most)
      const world = await openTableWorld(storage, { plans, blobs: new MemoryBlobStore() })
      try {
        const { spaceId } = world.ada
        const importing = (content: string) => world.api.archives.importBase({ spaceId, content })
        await importing(archiveOf([...archivedTable, records, record]))
        const tooMuch = importing(archiveOf([...archivedTable, ...lines]))
        await expect(tooMuch).rejects.toMatchObject({ code: 'payment_required', data: { limit } })
        expect(await world.api.bases.listBases({ spaceId })).toHaveLength(2)
      } finally {
        await world.close()
      }
    },
  )
})
