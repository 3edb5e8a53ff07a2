import { readFileSync } from 'node:fs'
import { thumbnailSizes } from '@gateleg/domain/attachments/thumbnails/thumbnail'
import type { ThumbnailSource } from '@gateleg/domain/attachments/thumbnails/thumbnail-maker'
import { pngOf } from '@gateleg/testing/factories/png-image'
import { withLimits } from '@gateleg/testing/with-limits'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { SharpThumbnailMaker } from './sharp-thumbnail-maker.ts'

const maker = new SharpThumbnailMaker()

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 10_000) {
    yield bytes.subarray(start, start + 10_000)
  }
}

const sizes = [thumbnailSizes.sm, thumbnailSizes.lg]

const makeOf = (source: Omit<ThumbnailSource, 'size'>, by = maker, caller = 'usrAda') =>
  by.inTurn(caller, (make) => make({ size: 1_000, ...source }, sizes))

const thumbnailsOf = (type: string, bytes: Uint8Array) => makeOf({ type, bytes: piecesOf(bytes) })

async function sizesOf(type: string, bytes: Uint8Array) {
  const made = await thumbnailsOf(type, bytes)
  if (!made) return undefined
  const facts = await Promise.all(made.map((each) => sharp(each).metadata()))
  return facts.map(({ format, width, height }) => [format, width, height])
}

function isThere(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#48c' } })

describe('images', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    '[THUMB-1] of the type %s have two thumbnails',
    async (format) => {
      const bytes = await drawn(1_600, 1_050)[format]().toBuffer()
      expect(await sizesOf(`image/${format}`, bytes)).toEqual([
        ['webp', 85, 56],
        ['webp', 800, 525],
      ])
    },
  )

  test('[THUMB-1] are made no larger, and no wider than four times their height', async () => {
    expect(await sizesOf('image/png', pngOf(40, 30))).toEqual([
      ['webp', 40, 30],
      ['webp', 40, 30],
    ])
    expect(await sizesOf('image/png', pngOf(8_000, 10))).toEqual([
      ['webp', 224, 1],
      ['webp', 2_100, 3],
    ])
  })

  test('[THUMB-1] are turned as their camera was, and say nothing of where it was', async () => {
    const place = { IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } }
    const bytes = await drawn(400, 200)
      .withExif(place)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const made = await thumbnailsOf('image/jpeg', bytes)
    const { width, height, exif } = await sharp(made?.at(-1)).metadata()
    expect([width, height, exif]).toEqual([200, 400, undefined])
  })
})

describe('what is no such image', () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>',
  )

  test('[THUMB-2] has no thumbnails, whatever its first bytes say', async () => {
    const png = pngOf(100, 100)
    const hostile: readonly (readonly [string, Uint8Array])[] = [
      ['image/svg+xml', svg],
      ['image/png', svg],
      ['image/png', Buffer.concat([png.subarray(0, 8), svg])],
      ['image/png', png.subarray(0, png.length - 30)],
      ['image/png', Buffer.alloc(0)],
      ['image/jpeg', png],
      ['image/tiff', await drawn(9, 9).tiff().toBuffer()],
      ['image/png', await drawn(9, 9).tiff().toBuffer()],
      ['image/gif', Buffer.from('GIF89a\xff\xff\xff\xff\0\0\0', 'latin1')],
    ]
    for (const [type, bytes] of hostile) {
      expect([type, await thumbnailsOf(type, bytes)]).toEqual([type, undefined])
    }
    expect(await thumbnailsOf('image/png', png)).toBeDefined()
  })

  test('[THUMB-3] has none when it has too many pixels, of which none is unpacked', async () => {
    // 10 KB that would be 400 MB.
    expect(
      await thumbnailsOf('image/png', pngOf(20_000, 20_000).subarray(0, 10_000)),
    ).toBeUndefined()
    expect(await thumbnailsOf('image/png', pngOf(8_193, 8_192))).toBeUndefined()
  })

  test('[THUMB-3] has none when it takes too much memory or time, which ends its process alone', async () => {
    const large = pngOf(6_000, 6_000)
    for (const limit of [{ thumbnailMemoryBytes: 1_000_000 }, { thumbnailSeconds: 0.001 }]) {
      expect(await withLimits(limit, () => thumbnailsOf('image/png', large))).toBeUndefined()
    }
    expect(
      await withLimits({ thumbnailBytes: 100 }, () => thumbnailsOf('image/png', large)),
    ).toBeUndefined()
    expect(await thumbnailsOf('image/png', large)).toBeDefined()
  })
})

describe('the process', () => {
  test('[THUMB-4] that is killed in the middle costs one image its thumbnails, and the next one nothing', async () => {
    await thumbnailsOf('image/png', pngOf(10, 10))
    const killed = makeOf({
      type: 'image/png',
      bytes: (async function* () {
        yield pngOf(10, 10)
        process.kill(maker.processId ?? 0, 'SIGKILL')
        await new Promise((resolve) => setTimeout(resolve, 100))
      })(),
    })
    expect(await killed).toBeUndefined()
    expect(await thumbnailsOf('image/png', pngOf(10, 10))).toBeDefined()
  })

  test('[THUMB-4] that was ended while it had nothing to do costs no image its thumbnails', async () => {
    await thumbnailsOf('image/png', pngOf(10, 10))
    const { processId = 0 } = maker
    process.kill(processId, 'SIGKILL')
    await expect.poll(() => isThere(processId)).toBe(false)
    expect(await thumbnailsOf('image/png', pngOf(10, 10))).toBeDefined()
  })

  test.skipIf(process.platform === 'win32')(
    '[THUMB-4] goes when the server goes, and not by a signal to all processes before',
    async () => {
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
      const ending = makeOf({
        type: 'image/png',
        bytes: (async function* () {
          for (const signal of signals) process.kill(maker.processId ?? 0, signal)
          await new Promise((resolve) => setTimeout(resolve, 100))
          yield pngOf(10, 10)
        })(),
      })
      expect(await ending).toBeDefined()
    },
  )

  test('[THUMB-4] goes on after a source that fails', async () => {
    const failing = makeOf({
      type: 'image/png',
      bytes: (async function* () {
        yield pngOf(10, 10).subarray(0, 20)
        throw new Error('the store is gone')
      })(),
    })
    await expect(failing).rejects.toThrow('the store is gone')
    expect(await thumbnailsOf('image/png', pngOf(10, 10))).toBeDefined()
  })

  test.skipIf(process.platform !== 'linux')(
    '[THUMB-4] knows nothing of the environment',
    async () => {
      process.env.GATELEG_TEST_SECRET = 'sealed'
      const own = new SharpThumbnailMaker()
      await makeOf({ type: 'image/png', bytes: piecesOf(pngOf(9, 9)) }, own)
      delete process.env.GATELEG_TEST_SECRET
      const environment = readFileSync(`/proc/${own.processId}/environ`, 'utf8')
      expect(environment).not.toContain('sealed')
      process.kill(own.processId ?? 0, 'SIGKILL')
    },
  )
})

describe('callers', () => {
  test.each([0, 20])(
    '[THUMB-6] wait for an image that comes slowly for a while, and no longer (a byte each %i ms)',
    async (ms) => {
      await withLimits({ thumbnailReadSeconds: 0.3 }, async () => {
        let hasEnded = false
        const slow = async function* () {
          try {
            if (ms === 0) await new Promise((resolve) => setTimeout(resolve, 1_000))
            for (const byte of pngOf(10, 10)) {
              await new Promise((resolve) => setTimeout(resolve, ms))
              yield Uint8Array.of(byte)
            }
          } finally {
            hasEnded = true
          }
        }
        const first = makeOf({ type: 'image/png', bytes: slow() })
        const second = makeOf({ type: 'image/png', bytes: piecesOf(pngOf(10, 10)) }, maker, 'usrBo')
        await expect(first).rejects.toMatchObject({ code: 'service_busy' })
        expect(await second).toHaveLength(2)
        await expect.poll(() => hasEnded, { timeout: 2_000 }).toBe(true)
      })
    },
  )

  test('[THUMB-5] take turns, one at a time, and wait in bounded numbers', async () => {
    const done: string[] = []
    let now = 0
    let most = 0
    const work = (caller: string, name: string) =>
      maker.inTurn(caller, async () => {
        most = Math.max(most, ++now)
        await new Promise((resolve) => setImmediate(resolve))
        done.push(name)
        now--
      })
    await withLimits({ thumbnailsWaitingPerCaller: 3 }, async () => {
      const all = [work('ada', 'a0'), work('ada', 'a1'), work('ada', 'a2'), work('ada', 'a3')]
      await expect(work('ada', 'a4')).rejects.toMatchObject({ code: 'service_busy' })
      await Promise.all([...all, work('eve', 'e1')])
    })
    expect([done, most]).toEqual([['a0', 'a1', 'e1', 'a2', 'a3'], 1])
  })

  test('[THUMB-5] hand their turn on when their work fails', async () => {
    const failing = maker.inTurn('ada', () => Promise.reject(new Error('no')))
    const next = maker.inTurn('ada', async () => 'done')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('done')
  })
})
