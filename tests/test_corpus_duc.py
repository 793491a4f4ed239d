"""DUC and TAC: newswire in its variants, models and peers by the names of their files."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topline.corpus.dates import iso_date, name_date
from topline.corpus.duc import Name, name_of, sumrepo_name
from topline.corpus.newswire import read_documents
from topline.corpus.read import read, read_summaries
from topline.corpus.reading import How
from topline.corpus.see import anchors
from topline.errors import CorpusError
from topline.text.sentences import Splitter

AP = """<DOC>
<DOCNO> AP880911-0016 </DOCNO>
<FILEID>AP-NR-09-11-88 0423EDT</FILEID>
<FIRST>r i BC-Storm 09-11 0339</FIRST>
<HEAD>Storm Nears
Coast</HEAD>
<HEAD>Eds: a later lead</HEAD>
<DATELINE>PORT ROWAN (AP) </DATELINE>
<TEXT>
   A storm neared the coast Sunday, and residents
left their homes. It may land at 3.5 knots.
   ``We are ready,'' said Gov. Ann Harte of AT&amp;T.
</TEXT>
<TEXT>
   A second text.
</TEXT>
</DOC>
"""
WSJ = """<DOC><DOCNO>WSJ911031-0012</DOCNO><DD> = 911031 </DD>
<HL> Bonds Fall </HL><SO> J, Page C1 </SO>
<LP>
   Bonds fell.
</LP>
<TEXT>
   They rose later.
</TEXT></DOC>"""
LA = """<DOC>
<DOCNO> LA030592-0012 </DOCNO>
<DOCID> 217 </DOCID>
<DATE><P>March 5, 1992, Thursday, Home Edition </P></DATE>
<HEADLINE><P>FIRE IN THE HILLS</P></HEADLINE>
<TEXT><P>A fire burned</P><P>It was put out.</P></TEXT>
<GRAPHIC><P>Photo, not text</P></GRAPHIC>
</DOC>"""
FT = """<DOC><DOCNO>FT923-5089</DOCNO><PROFILE>_AN-CIBBYAAIFT</PROFILE><DATE>920903
</DATE><HEADLINE>
FT  03 SEP 92 / Airline sold
</HEADLINE><TEXT>
The airline was sold. Nobody objected.
</TEXT></DOC>"""
FBIS = """<DOC>
<DOCNO> FBIS4-1234 </DOCNO>
<HEADER><DATE1> 22 March 1994 </DATE1><H3> <TI>   Talks Resume </TI></H3></HEADER>
<TEXT>
Language: <F P=105> English </F>
Article Type:BFN

<F P=106> [Text] </F> Talks resumed today. A second sentence.
</TEXT></DOC>"""
XIE = """<DOC>
<DOCNO> XIE19980304.0061 </DOCNO>
<DATE_TIME> 1998-03-04 </DATE_TIME>
<BODY>
<HEADLINE> Hate Groups Growing </HEADLINE>
<TEXT>
<P>
Groups grew &quot;fast&quot; in 1997.
</P>
<P>
&UR; More follows &AMP; ends.
</P>
</TEXT>
</BODY></DOC>"""
NYT = """<DOC><DOCNO> NYT19981016.0240 </DOCNO><DOCTYPE> NEWS STORY </DOCTYPE>
<DATE_TIME> 1998-10-16 12:30 </DATE_TIME><HEADER> A5023 &Cx1f; taf-z </HEADER>
<BODY><SLUG> BC-STORM </SLUG><TEXT>Rain fell.</TEXT></BODY><TRAILER> NYT-10-16 </TRAILER></DOC>"""
TAC = """<DOC id="AFP_ENG_20050119.0019" type="story" >
<HEADLINE>
Ice shelf breaks
</HEADLINE>
<DATELINE>SYDNEY, Jan 19</DATELINE>
<TEXT>
<P>An ice shelf broke.</P>
</TEXT></DOC>"""
SPLIT = """<DOC><DOCNO>AP900321-0001</DOCNO><DATE>900321</DATE>
<HEAD><s docid="AP900321-0001" num="1" wdcount="2"> A Title</s></HEAD>
<TEXT>
<s docid="AP900321-0001" num="2" wdcount="4"> Mr. A. went home.</s>
<s docid="AP900321-0001" num="3" wdcount="2"> He &amp; she.</s>
</TEXT></DOC>"""
LOOSE = """<s docid="X1" num="1" wdcount="1">One.</s>
<s docid="X1" num="2" wdcount="1">Two.</s>
<s docid='X2' num='1' wdcount='1'>Three.</s>"""


@pytest.mark.parametrize(
    ("sgml", "id", "date", "title", "sentences"),
    [
        (AP, "AP880911-0016", "1988-09-11", "Storm Nears Coast", [
            "A storm neared the coast Sunday, and residents left their homes.",
            "It may land at 3.5 knots.",
            "``We are ready,'' said Gov. Ann Harte of AT&T.",
            "A second text.",
        ]),
        (WSJ, "WSJ911031-0012", "1991-10-31", "Bonds Fall", ["Bonds fell.", "They rose later."]),
        (LA, "LA030592-0012", "1992-03-05", "FIRE IN THE HILLS", ["A fire burned", "It was put out."]),
        (FT, "FT923-5089", "1992-09-03", "Airline sold", ["The airline was sold.", "Nobody objected."]),
        (FBIS, "FBIS4-1234", "1994-03-22", "Talks Resume", ["Talks resumed today.", "A second sentence."]),
        (XIE, "XIE19980304.0061", "1998-03-04", "Hate Groups Growing", [
            'Groups grew "fast" in 1997.', "More follows & ends.",
        ]),
        (NYT, "NYT19981016.0240", "1998-10-16T12:30", "BC-STORM", ["Rain fell."]),
        (TAC, "AFP_ENG_20050119.0019", "2005-01-19", "Ice shelf breaks", ["An ice shelf broke."]),
        (SPLIT, "AP900321-0001", "1990-03-21", "A Title", ["Mr. A. went home.", "He & she."]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("lower", [False, True], ids=["as is", "lower-case tags"])
def test_variants(tmp_path, sgml, id, date, title, sentences, lower):
    if lower:
        import re

        sgml = re.sub(r"</?[A-Z_0-9]+", lambda tag: tag[0].lower(), sgml)
    path = tmp_path / "file"
    path.write_text(sgml)
    (document,) = read_documents(path, How())
    assert (document.id, document.date, document.title) == (id, date, title)
    assert [sentence.text for sentence in document.sentences] == sentences


def test_several_documents_a_file_and_sentences_alone(tmp_path):
    path = tmp_path / "file"
    path.write_text(AP + WSJ + "\n" + FT)
    assert [document.id for document in read_documents(path, How())] == [
        "AP880911-0016", "WSJ911031-0012", "FT923-5089",
    ]  # fmt: skip
    path.write_text(LOOSE)
    found = {d.id: [s.text for s in d.sentences] for d in read_documents(path, How())}
    assert found == {"X1": ["One.", "Two."], "X2": ["Three."]}


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("900321", "1990-03-21"), ("19981016", "1998-10-16"), ("1998-10-16", "1998-10-16"),
        ("March 5, 1992, Thursday", "1992-03-05"), ("Thursday, March 5, 1992", "1992-03-05"),
        ("Nov. 3, 1998", "1998-11-03"), ("22 March 1994", "1994-03-22"), ("FT 05 MAR 92", "1992-03-05"),
        ("12/09/88", "1988-12-09"), ("= 880314", "1988-03-14"),
        ("10/16/1998 13:24:00", "1998-10-16T13:24:00"), ("1998-10-16 12:30", "1998-10-16T12:30"),
        ("2031-02-01T08:00:00Z", "2031-02-01T08:00:00Z"), ("010203", "2001-02-03"),
        ("February 30, 1992", None), ("soon", None), ("", None), ("1992", None), ("5 of them", None),
    ],
)  # fmt: skip
def test_dates(text, date):
    assert iso_date(text) == date


@given(st.text(max_size=40), st.dates())
def test_a_date_that_was_read_reads_as_itself(text, day):
    for read_date in (iso_date(text), iso_date(str(day)), iso_date(f"{day:%B} {day.day}, {day.year:04}")):
        assert read_date is None or iso_date(read_date) == read_date
    assert iso_date(str(day)) == str(day)


def test_names():
    assert name_date("XIN_ENG_20041113.0001") == "2004-11-13"
    assert name_of("D30001.M.100.T.A") == Name("D30001", "M", "100", "A")
    assert name_of("D30001.M.100.T.15") == Name("D30001", "M", "100", "15")
    assert name_of("d0701a.m.250.a.c.html") == Name("D0701", "M", "250", "C")
    assert name_of("D0801-A.M.100.A.A") == Name("D0801-A", "M", "100", "A")
    assert name_of("D061.P.100.J.B.AP880911-0016") == Name("D061", "P", "100", "B", "AP880911-0016")
    assert name_of("D061.P.100.J.B.AP880911-0016.html") == Name("D061", "P", "100", "B", "AP880911-0016")
    assert name_of("D30001.P.10.T.A.APW19981016.0240") == Name("D30001", "P", "10", "A", "APW19981016.0240")
    assert not name_of("D30001.M.100.T.15").is_model
    for other in ("APW19981016.0240", "README", "100.D0601.M.250.A.1.pan", "d30001.LexRank.txt", "D3.M.T.A"):
        assert name_of(other) is None
    assert sumrepo_name("d30001.CLASSY 04.txt") == ("D30001", "CLASSY 04")
    assert sumrepo_name("D30001.M.100.T.A.txt") is None


MODEL = "A storm neared.\nPeople left.\nIt cost AT&T nothing\n"
SEE = """<html>
<head><title>D30001.M.100.T.B</title></head>
<body bgcolor="white">
<a name="1">[1]</a> <a href="#1" id=1>A storm &amp; a fire.</a>
<a size="5" name="2">[2]</a> <a href="#2" id="2">People
left.</a>
</body></html>"""


@pytest.fixture
def duc(tmp_path):
    def write(files: dict[str, str]):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def test_a_duc_2004_tree(duc):
    root = duc({
        "docs/d30001t/AP880911-0016": AP,
        "docs/d30001t/NYT19981016.0240": NYT,
        "docs/d30002t/all": XIE + WSJ,
        "docs/README": "about",
        "eval/models/D30001.M.100.T.A": MODEL,
        "eval/models/D30001.M.100.T.B.html": SEE,
        "eval/models/D30002.M.100.T.C": "One long line that is split. Into two sentences.",
        "eval/peers/D30001.M.100.T.15": "not a reference",
        "eval/peers/d30001.CLASSY04.txt": "nor this",
    })  # fmt: skip
    first, second = read(root)
    assert (first.id, [document.id for document in first.documents]) == (
        "D30001", ["AP880911-0016", "NYT19981016.0240"],
    )  # fmt: skip
    assert [(reference.id, reference.sentences) for reference in first.references] == [
        ("A", ("A storm neared.", "People left.", "It cost AT&T nothing")),
        ("B", ("A storm & a fire.", "People left.")),
    ]
    assert second.references[0].sentences == ("One long line that is split.", "Into two sentences.")
    assert first.splitter == second.splitter == How().splitter.signature
    assert {(s.id, s.system) for s in read_summaries(root / "eval/peers")} == {
        ("D30001", "15"), ("D30001", "CLASSY04"),
    }  # fmt: skip


def test_update_sets_and_2007(duc):
    root = duc({
        "D0801A/D0801A-A/TAC1": TAC,
        "D0801A/D0801A-B/TAC2": TAC.replace("0119", "0120"),
        "models/D0801-A.M.100.A.A": MODEL,
        "models/D0801-B.M.100.A.A": MODEL,
        "D0701A/X": XIE,
        "models/D0701.M.250.A.C": MODEL,
    })  # fmt: skip
    topics = list(read(root))
    assert [topic.id for topic in topics] == ["D0701", "D0801-A", "D0801-B"]
    assert [len(topic.references) for topic in topics] == [1, 1, 1]


def test_sizes_and_single_documents(duc):
    sums = "".join(
        f'<SUM DOCSET="d061" TYPE="PERDOC" SIZE="100" DOCREF="{doc}" SUMMARIZER="B">\nText of {doc}.</SUM>'
        for doc in ("AP880911-0016", "WSJ911031-0012")
    )
    extract = '<SUM DOCSET="d061" TYPE="MULTI" SIZE="200" SUMMARIZER="B"><s docid="X" num="1">No.</s></SUM>'
    root = duc({
        "d061j/AP880911-0016.S": AP,
        "d061j/WSJ911031-0012.S": WSJ,
        "d061j/perdocs": sums,
        "d061j/200e": extract,
        "models/D061.M.050.J.A.html": SEE,
        "models/D061.M.200.J.A.html": SEE.replace("fire", "flood"),
    })  # fmt: skip
    with pytest.raises(CorpusError, match=r"models of several sizes: 050, 200.*duc-50:"):
        list(read(root))
    (topic,) = read(f"duc-200:{root}")
    assert [reference.sentences[0] for reference in topic.references] == ["A storm & a flood."]
    (topic,) = read(root, format="duc-50")
    assert topic.references[0].sentences[0] == "A storm & a fire."
    with pytest.raises(CorpusError, match=r"no models of size 7 \(there are: 050, 200\)"):
        list(read(root, format="duc-7"))
    singles = list(read(root, format="duc-single"))
    assert [(topic.id, topic.references[0].sentences) for topic in singles] == [
        ("AP880911-0016", ("Text of AP880911-0016.",)), ("WSJ911031-0012", ("Text of WSJ911031-0012.",)),
    ]  # fmt: skip


def test_documents_that_come_with_and_without_marked_sentences(duc):
    marked = """<DOC><DOCNO>AP880911-0016</DOCNO>
<HEAD><s docid="AP880911-0016" num="1" wdcount="2"> Storm Nears</s></HEAD>
<BYLINE><s docid="AP880911-0016" num="2" wdcount="3"> By A. Writer</s></BYLINE>
<TEXT><s docid="AP880911-0016" num="3" wdcount="3"> A storm came.</s></TEXT></DOC>"""
    root = duc({
        "docs/d061j/AP880911-0016": AP,
        "docs.with.sentence.breaks/d061j/AP880911-0016.S": marked,
        "docs/d061j/WSJ911031-0012": WSJ,
        "models/D061.M.100.J.A": MODEL,
    })  # fmt: skip
    (topic,) = read(root)
    assert {document.id: [s.text for s in document.sentences] for document in topic.documents} == {
        "AP880911-0016": ["A storm came."], "WSJ911031-0012": ["Bonds fell.", "They rose later."],
    }  # fmt: skip


def test_errors(duc):
    root = duc({
        "d1001t/good": NYT,
        "d1002t/empty": "<DOC><DOCNO>E1</DOCNO><TEXT> </TEXT></DOC>",
        "d1003t/twice": NYT + NYT,
        "d1004t/nul": NYT + "\0",
        "D1005.M.100.T.A": MODEL,
    })  # fmt: skip
    (root / "d1006t").mkdir()
    (root / "d1006t" / "latin").write_bytes(NYT.encode() + b"\xe9")
    reading = read(root, skip_bad=True)
    assert [topic.id for topic in reading] == ["D1001"]
    said = {error.where.id or error.where.file: error.what for error in reading.skipped}
    assert said["D1002"].startswith("empty document: 'E1'")
    assert said["D1003"].startswith("doubled id of a document: 'NYT19981016.0240'")
    assert said[str(root / "d1004t/nul")].startswith("the file holds NUL bytes")
    assert said["D1005"] == "models without documents"
    assert said[str(root / "d1006t/latin")].startswith("bad UTF-8")
    with pytest.raises(CorpusError, match="D1002"):
        list(read(root))


def test_links_that_circle_are_walked_once(duc):
    root = duc({"d1001t/good": NYT})
    (root / "d1001t" / "up").symlink_to(root)
    (root / "broken").symlink_to(root / "nowhere")
    assert len(list(read(root))) == 1


def test_nothing_to_read(tmp_path):
    with pytest.raises(CorpusError, match="no corpus found in this folder"):
        read(tmp_path)
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(CorpusError, match="no corpus found"):
        read(tmp_path)


def test_entities_are_never_expanded(tmp_path):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    path = tmp_path / "file"
    path.write_text(
        bomb + "<DOC><DOCNO>1</DOCNO><TEXT>&a; &b; &#xd800; &#65; &lt;P&gt; &eacute;</TEXT></DOC>"
    )
    (document,) = read_documents(path, How())
    assert " ".join(s.text for s in document.sentences) == "&a; &b; &#xd800; A <P> é"


@pytest.mark.parametrize(
    "unit",
    [
        "<TEXT>",
        "<TEXT></SLUG>",
        "&",
        "<",
        "<a ",
        "<!",
        "a=",
        '<a href="#1" id=1>',
        "<s docid=1>",
        "\n",
        "  x\n",
        "<DOC>",
    ],
)
def test_time_grows_with_length_only(tmp_path, unit):
    def seconds(length: int) -> float:
        text = (unit * length)[:length]
        start = process_time()
        list(anchors(text))
        path = tmp_path / "file"
        path.write_text(f"<DOC><DOCNO>1</DOCNO><DATE>{text}</DATE><TEXT>{text}</TEXT></DOC>")
        read_documents(path, How(Splitter("lines")))
        return process_time() - start

    seconds(100)
    # quadratic time would be 256 times as long
    assert seconds(320_000) < 64 * seconds(20_000) + 0.5


def test_folders_without_end(tmp_path):
    deep = tmp_path
    for _ in range(120):
        deep = deep / "d"
        deep.mkdir()
    with pytest.raises(CorpusError, match="nested over 100 deep"):
        read(tmp_path)
