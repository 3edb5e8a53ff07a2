import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from './open-engine.ts'
import { ownerIn } from './platform/blobs/blob-path.ts'
import { DiskBlobStore } from './platform/blobs/disk-blob-store.ts'

test('[ENGINE-47] every workspace stores files for itself, in a folder that others use as well', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-owners-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const blobs = new DiskBlobStore(join(folder, 'attachments'))
  const ownerOfUpload = async (name: string) => {
    const storage = sqlite({ file: join(folder, name) })
    await using engine = await openEngine({ storage, ports: { blobs } })
    const email = `ada${Math.random()}@example.org`
    const { id: userId } = await engine.public.accounts.signUp({ email, password: 'Long-enough-1' })
    const me = engine.as({ userId })
    const [space] = await me.spaces.listSpaces({})
    const base = await me.bases.createBase({ spaceId: space?.id ?? '', name: 'Files' })
    const table = await me.tables.createTable({
      baseId: base.id,
      name: 'Files',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Files', type: 'attachment' },
      ],
      records: [{ fields: { Name: 'a' } }],
    })
    const [record] = (await me.records.listRecords({ tableId: table.id })).records
    const [, field] = await me.fields.listFields({ tableId: table.id })
    const { fields } = await me.attachments.uploadAttachment({
      tableId: table.id,
      recordId: record?.id ?? '',
      fieldId: field?.id ?? '',
      file: {
        name: 'note.txt',
        stream: async function* () {
          yield Buffer.from('the same bytes')
        },
      },
    })
    const [file] = fields[field?.id ?? ''] as readonly { readonly path: string }[]
    return ownerIn(file?.path ?? '')
  }
  const [one, other] = [await ownerOfUpload('one.db'), await ownerOfUpload('other.db')]
  expect(one).toMatch(/^[0-9a-f]{8}$/)
  expect(other).toMatch(/^[0-9a-f]{8}$/)
  expect(other).not.toBe(one)
  expect(await ownerOfUpload('one.db')).toBe(one)
})
