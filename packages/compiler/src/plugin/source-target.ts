import { EmittedTarget } from '../emit/emitted-target.js';
import type { NamedClass } from '../emit/named-class.js';
import type { RecordTarget } from '../emit/record-insertion.js';
import type { FoundClass } from '../extract/find-classes.js';
import { ts } from '../typescript.js';

/** The records of a source go into the text that the bundler has of it. */
export function sourceTarget(source: ts.SourceFile, text: string): RecordTarget {
  return text === source.text ? new UntouchedSource() : changedSource(source, text);
}

/** The classes are those of the source, and what a type names there is named by the same words. */
class UntouchedSource implements RecordTarget {
  classFor({ node }: FoundClass): ts.ClassLikeDeclaration {
    return node;
  }

  expressionFor({ written }: NamedClass): string {
    return written.getText();
  }
}

const FIRST = 'Put adorn() before the plugins that change the file';

/** The types are those of the file on disk; its classes are looked for in what other plugins made of it. */
function changedSource(source: ts.SourceFile, text: string): RecordTarget {
  const code = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.ESNext, true);
  const path = `${source.fileName}, as the plugins before Adorn's left it,`;
  return new EmittedTarget(
    source,
    { path, text, code },
    {
      classInDoubt: `${FIRST}, and give classes with equal methods names of their own.`,
      otherParameters: `${FIRST}.`,
    },
  );
}
