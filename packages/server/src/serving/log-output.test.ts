import { expect, test } from 'vitest'
import { LogOutput } from './log-output.ts'

/** An output that fails with the code, as long as there is one. */
class Output {
  code: string | undefined
  /** Bytes that it takes at one time. */
  most = Number.POSITIVE_INFINITY
  #bytes = Buffer.alloc(0)

  readonly write = (bytes: Buffer): number => {
    if (this.code !== undefined) throw Object.assign(new Error('no'), { code: this.code })
    const taken = bytes.subarray(0, this.most)
    this.#bytes = Buffer.concat([this.#bytes, taken])
    return taken.length
  }

  get text(): string {
    return this.#bytes.toString()
  }
}

test('[SERVER-27] writes all lines in their order, however few bytes are taken at one time', () => {
  const output = new Output()
  const log = new LogOutput(output.write)
  output.most = 3
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index} ü\n`)
  for (const line of lines) log.write(line)
  log.flush()
  expect(output.text).toBe(lines.join(''))
})

test('[SERVER-27] drops what a full disk does not take, goes on, and says how many lines it was', () => {
  const output = new Output()
  const log = new LogOutput(output.write)
  output.code = 'ENOSPC'
  log.write('lost\n')
  log.write('lost too\n')
  log.flush()
  output.code = undefined
  log.write('kept\n')
  log.flush()
  expect(output.text).toMatch(/^kept\n\{.*"msg":"2 lines of the log could not be written"\}\n$/)
})

test('[SERVER-27] keeps lines for an output that takes none for now, within a bound', () => {
  const output = new Output()
  const log = new LogOutput(output.write)
  output.code = 'EAGAIN'
  const line = `${'x'.repeat(9_999)}\n`
  for (let count = 0; count < 1_000; count++) log.write(line)
  output.code = undefined
  log.flush()
  expect(output.text.length).toBeGreaterThan(1024 * 1024)
  expect(output.text.length).toBeLessThan(2 * 1024 * 1024)
  expect(output.text).toContain('lines of the log could not be written')
})
