import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/postgres-server.ts', 'test/sqlite-folder.ts'],
    // Property tests run long on slow machines; a hang must still end.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files follow one another in one process: each would spend seconds on reading and compiling the whole product anew.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Many tests wait for servers and threads: two files at a time end sooner on two processors than one does.
    // V8 was seen to crash in a thread that took types from many files at once, where it compiles anew what WebAssembly often calls.
    // `pnpm start` has the same flag.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
