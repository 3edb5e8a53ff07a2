import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What is used of the package, which brings no types. */
interface S3rver {
  configureBuckets(): Promise<void>
  callback(): RequestListener
}
interface S3rverClass {
  new (options: {
    readonly directory: string
    readonly silent: boolean
    readonly configureBuckets: readonly { readonly name: string }[]
  }): S3rver
}

/** What a caller signs requests with. */
export interface S3Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** What is used of the package to let somebody in by another key. */
interface S3Account {
  createKeyPair(accessKeyId: string, secretAccessKey: string): void
}

/** A running server with one bucket, whose credentials are `key`. */
export interface S3TestServer {
  readonly endpoint: string
  readonly bucket: string
  readonly key: S3Key
  /** Where its files are. */
  readonly directory: string
  /** Ids of uploads in parts that haven't ended. */
  openUploads(): readonly string[]
  /** Requests that came since the last call, as `PUT /files/name`. */
  takeRequests(): readonly string[]
  stop(): Promise<void>
}

/** The key that the package has by itself. */
const ownKey: S3Key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** Where the package keeps the parts of uploads, below the folder of the bucket. */
const uploadsName = '._S3rver_uploads'

/** Starts an S3-compatible server on this machine, which checks signatures; its files go with it. */
export async function startS3Server(bucket = 'files', key = ownKey): Promise<S3TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'gateleg-s3-'))
  const require = createRequire(import.meta.url)
  const S3rver: S3rverClass = require('@20minutes/s3rver')
  if (key !== ownKey) {
    const account: S3Account = require('@20minutes/s3rver/lib/models/account').DUMMY_ACCOUNT
    account.createKeyPair(key.accessKeyId, key.secretAccessKey)
  }
  const s3rver = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] })
  await s3rver.configureBuckets()
  const uploads = join(directory, bucket, uploadsName)
  const openUploads = () => (existsSync(uploads) ? readdirSync(uploads) : [])
  const answer = s3rver.callback()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    requests.push(`${method} ${url.replace(/\?.*/, '')}`)
    const text = answerOfUploads(request, uploads, openUploads())
    if (text === undefined) answer(request, response)
    else response.writeHead(text === '' ? 204 : 200).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    key,
    directory,
    openUploads,
    takeRequests: () => requests.splice(0),
    stop: async () => {
      await closed(server)
      rmSync(directory, { recursive: true })
    },
  }
}

/** Two requests that the package has not, and every other store: to list uploads in parts, and to abort one. */
function answerOfUploads(
  { method, url = '' }: IncomingMessage,
  folder: string,
  ids: readonly string[],
): string | undefined {
  const { searchParams } = new URL(url, 'http://localhost')
  if (method === 'DELETE' && searchParams.has('uploadId')) {
    rmSync(join(folder, searchParams.get('uploadId') ?? 'none'), { recursive: true, force: true })
    return ''
  }
  if (method !== 'GET' || !searchParams.has('uploads')) return undefined
  const items = ids.map((id) => {
    const key = readFileSync(join(folder, id, 'key'), 'utf8')
    const begun = statSync(join(folder, id)).birthtime.toISOString()
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`
  })
  return `<ListMultipartUploadsResult>${items.join('')}</ListMultipartUploadsResult>`
}

function closed(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
