import type { Bench, Benchmark } from '../benchmark.ts'
import { compareRates } from '../compare-rates.ts'
import { createTableOf } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient, type LoadRequest } from '../load-client.ts'

const connections = 16
const fileBytes = 100 * 1024
const uploadsPerTurn = 2_000
const readsPerTurn = 2_000
const recordCount = 8_000
const filesRead = 100
const ratioMin = 0.6

const bytesType = 'application/octet-stream'
const boundary = 'between-the-parts-of-a-form'

/** Files of 100 KB: into cells and out of them, against bodies that are streamed to a disk and from there. */
export const files: Benchmark = {
  name: 'files',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startFileServer()
    const { tableId, recordIds } = await createTableOf(ours, {
      name: 'Files',
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'attachment', name: 'Files' },
      ],
      records: Array.from({ length: recordCount }, (_, index) => ({
        fields: { Name: `${index}` },
      })),
    })
    const [, field] = await ours.api.fields.listFields({ tableId })
    const toOurs = new LoadClient({ url: ours.url, connections, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections })
    let sent = 0
    const toCell = (): LoadRequest => {
      const recordId = recordIds[++sent % recordIds.length]
      const path = `/api/table/${tableId}/record/${recordId}/${field?.id}/uploadAttachment`
      const type = `multipart/form-data; boundary=${boundary}`
      return { method: 'POST', path, type, body: asForm(fileOf(sent)) }
    }
    const toDisk = (): LoadRequest => {
      return { method: 'POST', path: '/file', type: bytesType, body: fileOf(++sent) }
    }
    const uploads = await inTurns(rounds, {
      ours: (round) => {
        say(`round ${round} of ${rounds} of uploads`)
        return toOurs.drive(connections, uploadsPerTurn, toCell)
      },
      handwritten: () => toHandwritten.drive(connections, uploadsPerTurn, toDisk),
    })
    const { records } = await ours.api.records.listRecords({ tableId, take: filesRead })
    const paths = records.flatMap(({ fields }) => {
      const items = (fields.Files ?? []) as readonly { readonly presignedUrl: string }[]
      return items.map(({ presignedUrl }) => presignedUrl)
    })
    const read = (client: LoadClient, toPath: (index: number) => string) =>
      client.drive(connections, readsPerTurn, (index) => ({
        method: 'GET',
        path: toPath(index % filesRead),
      }))
    const reads = await inTurns(rounds, {
      ours: (round) => {
        say(`round ${round} of ${rounds} of reads`)
        return read(toOurs, (index) => paths[index] ?? '')
      },
      handwritten: () => read(toHandwritten, (index) => `/file/${index + 1}`),
    })
    await Promise.all([toOurs.close(), toHandwritten.close()])
    const compare = (what: string, { ours, handwritten }: typeof uploads) => {
      const name = `${what}, 100 KB, ${connections} at a time`
      return compareRates(name, { ours, other: handwritten }, ratioMin)
    }
    return [compare('upload a file into a cell', uploads), compare('read a file', reads)]
  },
}

/** The bytes of the n-th file, which no other has: what is there already would not be stored again. */
function fileOf(n: number): Buffer {
  const bytes = Buffer.alloc(fileBytes, 'bytes of a file ')
  bytes.writeUInt32BE(n, 0)
  return bytes
}

function asForm(file: Buffer): Buffer {
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="file.bin"',
    `Content-Type: ${bytesType}`,
    '',
    '',
  ]
  return Buffer.concat([
    Buffer.from(head.join('\r\n')),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}
