import type { UseCaseName } from './api.ts'
import { isPublic, type UseCase } from './use-case.ts'
import { useCases } from './use-cases.ts'

// The build works this file out, and publishes the list in its place (`evaluatedFiles`): so an engine knows what can be
// called before the code of it is loaded.

interface NamedUseCase {
  readonly name: UseCaseName
  /** Whether it can be called without an account. */
  readonly isPublic: boolean
}

/** Every use case by its name, `feature.name`. */
export const useCaseNames: readonly NamedUseCase[] = Object.entries(useCases).flatMap(
  ([feature, byName]) =>
    Object.entries<UseCase>(byName).map(([name, useCase]) => ({
      name: `${feature}.${name}` as UseCaseName,
      isPublic: isPublic(useCase),
    })),
)
