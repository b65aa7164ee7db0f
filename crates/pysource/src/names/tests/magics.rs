use super::told;

#[test]
fn magics_do_what_ipython_does() {
    for (source, expected) in [
        ("%matplotlib inline\n%load_ext autoreload\nx = 1", "x="),
        ("%time y = f(x)", "f() x y="),
        ("%timeit y = f(x); y", "f() x"),
        ("x = 1\n%timeit for i in r: f(i)\ny = 2", "x= r f()? y="),
        ("%time for i in r: s = i", "r i=? i? s=?"),
        ("%%time\nx = y", "y x="),
        ("%%timeit\nx = y\nx + z", "y z"),
        ("%%capture out\nx = 1", "x= out="),
        ("%run tools.py\nx", "*(%run tools.py) x"),
        ("%pylab inline", "*(%pylab inline)"),
        ("%reset -f", "*(%reset -f)"),
        ("%store x y\n%store -r z", "x y *(%store -r z)"),
        ("%mystery a", "*(%mystery)"),
        ("%%mystery\nx = 1", "*(%%mystery)"),
        ("%%writefile a.py\nx = 1", ""),
        ("%%bash --out o --err=e\nls", "o= e="),
        ("%%R -i a,b -o c\nx", "a b c="),
        ("!ls $a {b.c} $$d {{e}} '{1 +'", "a?^ b.c?^"),
        ("files = !ls {d}\nn = %sql x", "d?^ files= *(%sql) n="),
        ("if a:\n    !ls $b\n    c = 1", "a b?^ c=?"),
        ("def f(d):\n    !ls $d $e", "f= f{e?^}"),
        ("x?\n?y.z\nw??", "x?^ y?^ w?^"),
        ("%xdel x\n%macro m 1-2\n%aimport a.b, c", "-x m= a= c="),
        ("%lprun -f f f(x)", "f f() x"),
        (
            "get_ipython().run_line_magic('matplotlib', 'inline')\nget_ipython().magic('run a.py')",
            "get_ipython() get_ipython() *(%run a.py)",
        ),
        (
            "get_ipython().system('ls $x')\nget_ipython().ev(y)",
            "get_ipython() x?^ get_ipython() *(get_ipython().ev()) y",
        ),
        ("/f a", "f() *(f a)"),
        ("pip install x", ""),
        ("run a.py", "*(%run a.py)"),
    ] {
        assert_eq!(told(source), expected, "{source}");
    }
}
