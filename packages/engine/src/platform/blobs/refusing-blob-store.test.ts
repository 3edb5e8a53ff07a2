import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { expect, test } from 'vitest'
import { openEngine } from '../../open-engine.ts'

test('[ATTACH-110] without a place for files no upload is begun, and none is taken', async () => {
  await using engine = await openEngine({ storage: sqlite({ file: ':memory:' }) })
  const { id: userId } = await engine.ensureUser({ name: 'Ada' })
  const { spaces, bases, tables, fields, attachments } = engine.as({ userId })
  const { id: spaceId } = await spaces.createSpace({})
  const { id: baseId } = await bases.createBase({ spaceId })
  const { id: tableId, records } = await tables.createTable({ baseId })
  const { id: fieldId } = await fields.createField({ tableId, type: 'attachment' })
  const refusal = {
    code: 'insufficient_storage',
    message: expect.stringContaining('keeps no files'),
  }
  const said = { baseId, type: 1, contentType: 'text/plain', contentLength: 4 } as const
  await expect(attachments.requestUpload(said)).rejects.toMatchObject(refusal)
  const place = { tableId, recordId: records[0]?.id ?? '', fieldId }
  const file = new File(['Emma'], 'emma.txt')
  await expect(attachments.uploadAttachment({ ...place, file } as never)).rejects.toMatchObject(
    refusal,
  )
})
