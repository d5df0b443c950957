"""As much of ANTLR 3's runtime for Python as OpenGEODE's generated parser needs to say whether it accepts a text.

The real runtime is not packaged for Python 3. This one has the prediction by tables, the backtracking and its memory, and trees without
content, because rewriting asks which of them are empty. It does not recover: the first mistake ends it with `Refused`.
"""

import sys

EOF = -1
DEFAULT_CHANNEL, HIDDEN_CHANNEL = 0, 99
FAILED_BEFORE = -2


class Refused(Exception):
    """What is wrong with the text, and where."""


class RecognitionException(Exception):
    def __init__(self, *what):
        super().__init__(*what[:-1])
        self.input = what[-1]


class NoViableAltException(RecognitionException):
    pass


class EarlyExitException(RecognitionException):
    pass


class MismatchedSetException(RecognitionException):
    pass


class MismatchedTokenException(RecognitionException):
    pass


class BacktrackingFailed(Exception):
    pass


class RewriteEarlyExitException(Exception):
    pass


class Stream:
    """A position in a sequence, from which one looks ahead. The last mark is not a stack: nested predictions overwrite it."""

    def __init__(self, items):
        self.items, self.p, self.marked = items, 0, 0

    def index(self):
        return self.p

    def seek(self, index):
        self.p = index

    def mark(self):
        self.marked = self.p
        return self.p

    def rewind(self, mark=None):
        self.p = self.marked if mark is None else mark

    def consume(self):
        if self.p < len(self.items):
            self.p += 1


class ANTLRStringStream(Stream):
    def __init__(self, text):
        super().__init__([ord(character) for character in text])
        self.text = text

    def LA(self, ahead):
        at = self.p + ahead - 1
        return self.items[at] if at < len(self.items) else EOF

    def place(self):
        before = self.text[: self.p]
        return f"{before.count(chr(10)) + 1}:{self.p - before.rfind(chr(10))}", repr(self.text[self.p : self.p + 1])


class Token:
    def __init__(self, kind, text, start):
        self.type, self.text, self.start = kind, text, start

    @staticmethod
    def registerTokenNamesMap(names):
        pass


class CommonTokenStream(Stream):
    """All tokens that are not hidden."""

    def __init__(self, lexer):
        super().__init__(lexer.tokens())
        self.characters = lexer.input
        self.end = Token(EOF, "the end", len(lexer.input.items))

    def LT(self, ahead):
        at = self.p + (ahead - 1 if ahead > 0 else ahead)
        return self.items[at] if 0 <= at < len(self.items) else self.end

    def LA(self, ahead):
        return self.LT(ahead).type

    def place(self):
        token = self.LT(1)
        self.characters.seek(token.start)
        return self.characters.place()[0], token.text


class RecognizerSharedState:
    def __init__(self):
        self.following, self.backtracking, self.errorRecovery, self.ruleMemo = [], 0, False, {}
        self.type, self.channel = 0, DEFAULT_CHANNEL


class BaseRecognizer:
    HIDDEN = HIDDEN_CHANNEL

    def __init__(self, input, state=None):
        self.input, self._state = input, state or RecognizerSharedState()

    def reportError(self, error):
        line, found = error.input.place()
        raise Refused(f"{line}: {type(error).__name__[:-9]} at {found}")


class Lexer(BaseRecognizer):
    def tokens(self):
        found = []
        while self.input.LA(1) != EOF:
            start, self._state.channel = self.input.p, DEFAULT_CHANNEL
            try:
                self.mTokens()
            except RecognitionException as error:
                self.reportError(error)
            if self._state.channel == DEFAULT_CHANNEL:
                found.append(Token(self._state.type, self.input.text[start : self.input.p], start))
        return found

    def match(self, wanted):
        for code in [wanted] if isinstance(wanted, int) else map(ord, wanted):
            if self.input.LA(1) != code:
                raise MismatchedTokenException(code, self.input)
            self.input.consume()

    def matchAny(self):
        self.input.consume()

    def recover(self, error):
        pass


class Parser(BaseRecognizer):
    def match(self, input, kind, follow):
        token = input.LT(1)
        if token.type != kind:
            if self._state.backtracking > 0:
                raise BacktrackingFailed
            self.reportError(MismatchedTokenException(kind, input))
        input.consume()
        return token

    def recover(self, input, error):
        pass

    def alreadyParsedRule(self, input, rule):
        stop = self._state.ruleMemo.get((rule, input.index()))
        if stop == FAILED_BEFORE:
            raise BacktrackingFailed
        if stop is not None:
            input.seek(stop)
        return stop is not None

    def memoize(self, input, rule, start, success):
        self._state.ruleMemo[rule, start] = input.index() if success else FAILED_BEFORE


class ParserRuleReturnScope:
    def __init__(self):
        self.start = self.stop = None


class DFA:
    """Which alternative to take: tables over what comes next, and in special states what the recognizer says."""

    def __init__(self, recognizer, number, eot, eof, min, max, accept, special, transition):
        self.recognizer, self.number = recognizer, number
        self.eot, self.eof, self.min, self.max = eot, eof, min, max
        self.accept, self.special, self.transition = accept, special, transition

    @staticmethod
    def unpack(text):
        """Pairs of a count and a value; the value FFFF is -1."""
        values = []
        for count, value in zip(text[::2], text[1::2]):
            values += [-1 if value == "\uffff" else ord(value)] * ord(count)
        return values

    def predict(self, input):
        mark, state = input.mark(), 0
        try:
            while True:
                if self.special[state] >= 0:
                    state = self.specialStateTransition(self.special[state], input)
                    input.consume()
                    continue
                if self.accept[state] >= 1:
                    return self.accept[state]
                seen, following = input.LA(1), -1
                if self.min[state] <= seen <= self.max[state]:
                    following = self.transition[state][seen - self.min[state]]
                if following < 0:
                    following = self.eot[state]
                if following < 0 and seen == EOF and self.eof[state] >= 0:
                    return self.accept[self.eof[state]]
                if following < 0:
                    if self.recognizer._state.backtracking > 0:
                        raise BacktrackingFailed
                    raise NoViableAltException(input)
                state = following
                input.consume()
        finally:
            input.rewind(mark)

    def getDescription(self):
        return ""

    def error(self, error):
        pass


class Tree:
    def __init__(self, nil=False):
        self.nil, self.children = nil, []


class CommonTreeAdaptor:
    def nil(self):
        return Tree(nil=True)

    def createWithPayload(self, token):
        return Tree()

    def createFromType(self, kind, text):
        return Tree()

    def addChild(self, tree, child):
        if child is not None:
            tree.children += child.children if child.nil else [child]

    def becomeRoot(self, root, old):
        self.addChild(root, old)
        return root

    def rulePostProcessing(self, root):
        if root is not None and root.nil and len(root.children) < 2:
            return root.children[0] if root.children else None
        return root

    def setTokenBoundaries(self, tree, start, stop):
        pass


class RewriteStream:
    """What a rule has gathered for its tree. One element may be used again and again, several only once each."""

    def __init__(self, adaptor, description, first=None):
        self.items, self.at = [], 0
        self.add(first)

    def add(self, item):
        if item is not None:
            self.items.append(item)

    def reset(self):
        self.at = 0

    def hasNext(self):
        return self.at < len(self.items)

    def nextTree(self):
        if not self.hasNext() and len(self.items) != 1:
            raise Refused("nothing is left for the tree of a rule")
        self.at += 1
        item = self.items[min(self.at, len(self.items)) - 1]
        return item if isinstance(item, Tree) else Tree()

    nextNode = nextTree


RewriteRuleTokenStream = RewriteRuleSubtreeStream = RewriteStream

# The generated parser takes the names of trees from a module of their own.
sys.modules[__name__ + ".tree"] = sys.modules[__name__]
