import path from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isConstructorDeclaration,
  isExpressionStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isNewExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyDeclaration,
  isVariableDeclaration,
  isVoidExpression,
} from 'typescript/unstable/ast/is';
import { API, type Project, SignatureKind, type Type } from 'typescript/unstable/sync';

/** A promise whose rejection is not handled. The rejection would end the process. */
export interface LoosePromise {
  /** Place in the form FILE:LINE. */
  place: string;
  code: string;
}

/**
 * Uses the compiler's types to find promises in a project that are not awaited, returned, stored or caught:
 * statements, operands of `void`, and functions that return a promise where none is expected.
 */
export function findLoosePromises(config: string, isLookedAt: (file: string) => boolean): LoosePromise[] {
  const api = new API({ cwd: path.dirname(config) });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)!;
    return project.program
      .getSourceFileNames()
      .filter((file) => !file.includes('/node_modules/') && isLookedAt(file))
      .flatMap((file) => looseIn(project, file));
  } finally {
    api.close();
  }
}

function looseIn(project: Project, file: string): LoosePromise[] {
  const source = project.program.getSourceFile(file)!;
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (isDropped(project, node) || isUnexpected(project, node) || isKept(project, node)) found.push(node);
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found.map((node) => {
    const code = node.getText(source);
    const line = source.text.slice(0, node.getStart(source)).split('\n').length;
    return { place: `${path.relative('.', file)}:${line}`, code: code.split('\n')[0]! };
  });
}

/** Returns whether a node is a statement, or the operand of a `void`, that is a promise without a catch. */
function isDropped({ checker }: Project, node: Node): boolean {
  if (!isExpressionStatement(node) && !isVoidExpression(node)) return false;
  const { expression } = node;
  // A stored promise is handled elsewhere, and an awaited promise is handled here.
  if (isVoidExpression(expression) || isAwaitExpression(expression) || isAssignment(expression)) return false;
  return isPromise(checker.getTypeAtLocation(expression)) && !isCaught(expression);
}

function isAssignment(node: Node): boolean {
  return (
    isBinaryExpression(node) &&
    node.operatorToken.kind >= SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= SyntaxKind.LastAssignment
  );
}

/**
 * Returns whether a node is a promise stored without a catch. A promise that is stored this way can be rejected before
 * anybody awaits it.
 */
function isKept({ checker }: Project, node: Node): boolean {
  const value = keptIn(node);
  if (value === undefined || !isCallExpression(value)) return false;
  if (/^Promise\.(resolve|withResolvers)\b/.test(value.getText())) return false;
  return isPromise(checker.getTypeAtLocation(value)) && !isCaught(value);
}

/** Returns the value stored in a field, in an outer variable, or in a variable that only inner functions use. */
function keptIn(node: Node): Node | undefined {
  if (isPropertyDeclaration(node)) return node.initializer;
  // `??=` creates a promise for the caller, which awaits it.
  const isMadeOnce = isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.QuestionQuestionEqualsToken;
  if (isBinaryExpression(node) && isAssignment(node)) return isMadeOnce ? undefined : node.right;
  if (!isVariableDeclaration(node) || !isIdentifier(node.name)) return undefined;
  return isUsedIn(functionOf(node), node.name.text, node) ? undefined : node.initializer;
}

/** Returns whether a function uses a name directly, not only in inner functions. */
function isUsedIn(owner: Node, name: string, declaration: Node): boolean {
  const uses = (node: Node): boolean => {
    if (node === declaration || (node !== owner && isFunction(node))) return false;
    return (
      (isIdentifier(node) && node.text === name) || node.forEachChild((child) => uses(child) || undefined) === true
    );
  };
  return uses(owner);
}

function functionOf(node: Node): Node {
  return node.parent === undefined || isFunction(node) ? node : functionOf(node.parent);
}

function isFunction(node: Node): boolean {
  return (
    isArrowFunction(node) ||
    isFunctionExpression(node) ||
    isFunctionDeclaration(node) ||
    isMethodDeclaration(node) ||
    isConstructorDeclaration(node)
  );
}

/**
 * Returns whether a node is a function that returns a promise, passed where a function without a result is expected.
 */
function isUnexpected({ checker }: Project, node: Node): boolean {
  if (!isArrowFunction(node) && !isFunctionExpression(node)) return false;
  if (!isCallExpression(node.parent) && !isNewExpression(node.parent)) return false;
  // `finally` awaits the result of its argument.
  if (/\.finally$/.test(node.parent.expression.getText())) return false;
  const own = checker.getTypeAtLocation(node);
  const contextual = checker.getContextualType(node);
  const expected = contextual && checker.getNonNullableType(contextual);
  if (own === undefined || expected === undefined) return false;
  const gives = (type: Type) =>
    checker
      .getSignaturesOfType(type, SignatureKind.Call)
      .map((signature) => checker.getReturnTypeOfSignature(signature));
  const wanted = gives(expected);
  const isNothing =
    wanted.length > 0 && wanted.every((type) => type === undefined || checker.typeToString(type) === 'void');
  return isNothing && gives(own).some(isPromise) && !(isArrowFunction(node) && isCaught(node.body));
}

/**
 * Returns whether the promise's last step handles every rejection: `.catch(f)`, `.then(f, g)`, or `.finally(f)` after
 * one of these two.
 */
function isCaught(node: Node): boolean {
  if (isParenthesizedExpression(node)) return isCaught(node.expression);
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return false;
  const { expression: of, name } = node.expression;
  if (!isIdentifier(name)) return false;
  if (name.text === 'catch' || name.text === 'then') return node.arguments.length === (name.text === 'catch' ? 1 : 2);
  return name.text === 'finally' && isCaught(of);
}

function isPromise(type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().some(isPromise);
  return type.getSymbol()?.name === 'Promise';
}
