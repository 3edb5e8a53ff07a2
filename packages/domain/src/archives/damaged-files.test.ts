import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { textFile } from '@gateleg/testing/worlds/place'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { expect, test } from 'vitest'
import type { ByteRange } from '../attachments/blob-store.ts'

describeOnEveryStorage('archives of bases with damaged files', (storage) => {
  test('[ARCHIVE-27] break off at a file of which not all bytes can be read, and are no archives', async () => {
    const blobs = new MemoryBlobStore()
    const world = await openTableWorld(storage, { blobs })
    try {
      const table = await world.makeNames('Papers', 'One')
      const { id: fieldId } = await world.addField(table, { type: 'attachment', name: 'Files' })
      const [recordId = ''] = table.recordIds
      const place = { tableId: table.id, recordId, fieldId }
      await world.api.attachments.uploadAttachment({ ...place, file: textFile })
      const exported = async () => {
        let text = ''
        const { baseId } = world
        for await (const part of await world.api.archives.exportBase({ baseId })) text += part
        return text
      }
      expect(await exported()).toContain('{"end":')
      const whole = blobs.read.bind(blobs)
      blobs.read = (path: string, range?: ByteRange) => whole(path, range ?? { first: 0, last: 1 })
      await expect(exported()).rejects.toMatchObject({ code: 'service_busy' })
    } finally {
      await world.close()
    }
  })
})
