import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/packaging/workspace-package.ts'
import type { PackedPackage } from './pack-packages.ts'

/** A project outside the workspace that has installed the packages. */
export interface InstalledProject {
  readonly folder: string
  /** Checks the types of the programs and compiles them; throws with what the compiler says of them. */
  compile(programs: readonly InstalledProgram[]): void
  /** Runs a compiled program on the oldest Node that the packages name, and answers what it prints. */
  run(name: string): Promise<string>
}

export interface InstalledProgram {
  /** The name of its file, without its ending. */
  readonly name: string
  readonly code: string
}

/** The Node that the packages say is the oldest one they run on: `22.14.0`. */
function oldestNode(packed: readonly PackedPackage[]): string {
  const named = packed.map(({ files }) => JSON.parse(files.get('package.json') ?? '').engines.node)
  const [only, ...others] = new Set(named.map((range: string) => range.replace('>=', '')))
  if (only === undefined || others.length > 0) throw new Error(`They differ: ${named.join(', ')}`)
  return only.split('.').length < 3 ? `${only}.0` : only
}

/** Makes the folder a project that has installed all the packages, with whatever they need. */
export function installProject(folder: string, packed: readonly PackedPackage[]): InstalledProject {
  const nodePackage = `node-${process.platform}-${process.arch}`
  const ours = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]))
  write(join(folder, 'package.json'), {
    name: 'project',
    private: true,
    type: 'module',
    dependencies: { ...ours, express: '*', vitest: '*' },
    devDependencies: {
      [nodePackage]: oldestNode(packed),
      '@types/node': ownTypesOfNode(),
      '@types/express': '*',
    },
  })
  // JSON is YAML, too.
  write(join(folder, 'pnpm-workspace.yaml'), { overrides: { ...lockedVersions(), ...ours } })
  write(join(folder, 'tsconfig.json'), {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      rootDir: 'src',
      outDir: 'out',
    },
    include: ['src'],
  })
  execFileSync('pnpm', ['install', '--prefer-offline', '--no-frozen-lockfile'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const node = join(folder, 'node_modules', nodePackage, 'bin/node')
  return {
    folder,
    compile: (programs) => {
      for (const { name, code } of programs) write(join(folder, 'src', `${name}.ts`), code)
      compile(folder)
    },
    run: async (name) => {
      const file = join(folder, 'out', `${name}.js`)
      const { stdout } = await promisify(execFile)(node, [file], { cwd: folder, timeout: 30_000 })
      return stdout
    },
  }
}

/** Of these there are two versions: others bring theirs. */
function ownTypesOfNode(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies['@types/node']
}

/**
 * What the workspace has installed, so that the project gets the same: a package of somebody else's that was
 * published today is not what this tests. Those of which there are two versions are left open.
 */
function lockedVersions(): Readonly<Record<string, string>> {
  const [, section = ''] = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8').split('\npackages:\n')
  const found = [...section.matchAll(/^ {2}'?((?:@[^/]+\/)?[^@\s]+)@([^'(:]+)'?:$/gm)]
  const names = found.map(([, name]) => name)
  return Object.fromEntries(
    found
      .filter(([, name]) => names.indexOf(name) === names.lastIndexOf(name))
      .map(([, name, version]) => [name, version]),
  )
}

function compile(folder: string): void {
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error })
  }
}

function write(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}
