import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { applyStep, type PageStep } from './page-steps.ts'

/** A copy of the workspace's sources that a test may change. */
export interface WorkspaceCopy {
  /** Does what the steps say; answers the files that were made or changed. */
  follow(steps: readonly PageStep[]): readonly string[]
  /** Runs a command of the workspace's packages; answers what it prints. Fails with that when it fails. */
  run(command: 'tsc' | 'vitest', ...args: readonly string[]): string
  remove(): void
}

const copied = ['packages', 'test', 'scripts', 'bench', 'torture', 'examples'].concat(
  ...['package.json', 'tsconfig.json', 'vitest.config.ts'],
)

/** Copies the sources. Packages of others are those of the workspace, by links. */
export function copyWorkspace(): WorkspaceCopy {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-walk-'))
  for (const name of copied) {
    cpSync(name, join(folder, name), { recursive: true, verbatimSymlinks: true })
  }
  linkPackages(join(folder, 'node_modules'))
  return {
    follow: (steps) => {
      for (const step of steps) {
        const file = join(folder, step.path)
        if ('text' in step && existsSync(file)) throw new Error(`${step.path} is there already`)
        writeFileSync(
          file,
          applyStep(step, () => readFileSync(file, 'utf8')),
        )
      }
      return [...new Set(steps.map(({ path }) => path))]
    },
    run: (command, ...args) => run(folder, command, args),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** The packages of others, and beside them links to those of the copy. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, '@gateleg'), { recursive: true })
  for (const name of readdirSync('node_modules')) {
    if (!['@gateleg', 'gateleg', '.vite', '.vite-temp'].includes(name)) {
      symlinkSync(resolve('node_modules', name), join(folder, name))
    }
  }
  symlinkSync('../packages/server', join(folder, 'gateleg'))
  for (const name of readdirSync('node_modules/@gateleg')) {
    symlinkSync(`../../packages/${name}`, join(folder, '@gateleg', name))
  }
}

function run(folder: string, command: string, args: readonly string[]): string {
  // A run of tests tells its own tests apart by variables of which another one knows nothing.
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|RANDOM_)/.test(name))
  const env = { ...Object.fromEntries(own), STORES: 'sqlite', NO_COLOR: '1' }
  try {
    const file = join(folder, 'node_modules/.bin', command)
    return execFileSync(file, args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} failed: ${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}
