import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import express from 'express'

// What somebody would write by hand who keeps files and nothing else: each body goes to the disk as it comes and is
// synced there, with the entry of its folder, so that no file that was answered is lost; it is read from there as a
// stream. `node handwritten/file-server.ts --folder x`.

const { values } = parseArgs({ options: { folder: { type: 'string', default: 'files' } } })
const { folder } = values
await mkdir(folder, { recursive: true })
let count = 0

const app = express()

app.post('/file', async (request, response) => {
  const id = ++count
  const incoming = join(folder, `${id}.incoming`)
  await pipeline(request, createWriteStream(incoming, { flush: true }))
  await rename(incoming, join(folder, String(id)))
  await syncFolder()
  response.status(201).json({ id })
})

app.get('/file/:id', async (request, response) => {
  response.type('application/octet-stream')
  await pipeline(createReadStream(join(folder, String(Number(request.params.id)))), response)
})

async function syncFolder(): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})

process.on('SIGTERM', () => process.exit(0))
